import type { Tree } from '../temporary-folder.ts'
import { skillText, toolTree } from '../temporary-folder.ts'

/** Files of a project with skills, tools, a toolset and a handler. */
export const PROJECT: Tree = {
  'skills/alpha/SKILL.md': skillText('alpha', 'metadata:\n  loadout.tags: one two\n'),
  'skills/alpha/references/guide.md': 'The guide.\n',
  ...toolTree('skills/alpha/tools/echo'),
  'skills/alpha/tools/echo/doc.md': '# echo\n\nEchoes.\n',
  'skills/Ärger/SKILL.md': skillText('ärger'),
  'skills/zeta/SKILL.md': skillText('zeta'),
  ...toolTree('tools/shared'),
  'toolsets/pages/TOOLSET.md':
    '---\nname: pages\ndescription: Pages.\ntools: [shared]\n---\n\nUse them.\n',
}
