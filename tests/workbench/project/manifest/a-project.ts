import { skillText, toolTree, type Tree } from '../temporary-folder.ts'

/** Files of a project with definitions of every kind, and handlers. */
export const PROJECT: Tree = {
  'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.tags: one two\n'),
  'skills/alpha/references/guide.md': 'The guide.\n',
  ...toolTree('skills/alpha/tools/echo'),
  'skills/alpha/tools/echo/doc.md': '# echo\n\nEchoes.\n',
  'skills/Ärger/SKILL.md': skillText('ärger'),
  'skills/zeta/SKILL.md': skillText('zeta'),
  ...toolTree('tools/shared'),
  'agents/support/AGENT.md':
    '---\nname: support\ndescription: Helps.\ninitialSkills: [alpha]\n---\n\nYou help.\n',
  'rules/orders.md': 'Be careful.\n',
  'toolsets/pages/TOOLSET.md':
    '---\nname: pages\ndescription: Pages.\ntools: [shared]\n---\n\nUse them.\n',
}
