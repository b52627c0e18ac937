import { isDeepStrictEqual } from 'node:util'
import type { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

/**
 * Returns the first public list of a workspace that is not its tool table, filtered; null when every list is.
 *
 * The table is `tools()`. The law holds in every state.
 */
export function brokenListLaw(workspace: VirtualWorkspace): string | null {
  const available = workspace.tools().filter(({ status }) => status === 'available')
  const all = available.map(({ name }) => name)
  const ofSkills = available.filter(({ source }) => source === 'skill')
  const bySkill = Map.groupBy(ofSkills, ({ owner }) => owner)
  const { skillManager } = workspace
  const sections = workspace.prompt().document.sections
  const inSections = (kind: string) =>
    sections
      .filter((one) => one.kind === kind)
      .flatMap(({ blocks }) => blocks.flatMap((one) => (one.kind === 'items' ? one.items : [])))
      .map(({ name }) => name)
  const lists: Readonly<
    Record<string, readonly [is: readonly string[], wanted: readonly string[]]>
  > = {
    getAvailableTools: [workspace.getAvailableTools().map(({ name }) => name), all],
    renderToolSection: [listedIn(workspace.renderToolSection({ format: 'markdown' })), all],
    getActiveSkillTools: [
      skillManager.getActiveSkillTools().map(({ name }) => name),
      names(ofSkills),
    ],
    getActiveSkillToolNames: [skillManager.getActiveSkillToolNames(), names(ofSkills)],
    renderSkillToolsSection: [
      listedIn(workspace.renderSkillToolsSection({ format: 'markdown' })),
      names(ofSkills),
    ],
    'SKILL TOOLS of the prompt': [inSections('skill-tools'), names(ofSkills)],
    isToolFromActiveSkill: [
      workspace
        .tools()
        .flatMap(({ name }) => (skillManager.isToolFromActiveSkill(name) ? name : [])),
      names(ofSkills),
    ],
    ...Object.fromEntries(
      skillManager
        .getAllSkillToolStates()
        .map(({ skillName, addedToolNames }) => [
          `addedToolNames of ${skillName}`,
          [addedToolNames, names(bySkill.get(skillName) ?? [])],
        ]),
    ),
  }
  for (const [list, [is, wanted]] of Object.entries(lists)) {
    if (!isDeepStrictEqual(is.toSorted(), wanted.toSorted())) {
      return `${list} has ${is.join(', ')}, not ${wanted.join(', ')}`
    }
  }
  const boxes = [
    [workspace.renderToolSection(), all],
    [workspace.renderSkillToolsSection(), ofSkills],
  ] as const
  return boxes.every(([box, tools]) => (box === null) === (tools.length === 0))
    ? null
    : 'an empty box is drawn'
}

function names(tools: readonly { readonly name: string }[]): readonly string[] {
  return tools.map(({ name }) => name)
}

/** The names in the lists of a Markdown text. */
function listedIn(text: string | null): readonly string[] {
  return [...(text ?? '').matchAll(/^- `([^`]+)`/gmv)].map(([, name = '']) => name)
}
