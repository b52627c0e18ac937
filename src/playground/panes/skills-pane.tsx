import type { ReactElement } from 'react'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { activateSkill, deactivateWithDependents, toggleSkill } from '../changes/activate-skill.ts'
import { askConsent } from '../changes/ask-consent.ts'
import { openFile } from '../changes/open-file.ts'
import { acceptChange } from '../changes/change-session.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import {
  changePane,
  type DiskChange,
  note,
  paneState,
  type PaneState,
  type UiState,
} from '../context/ui-state.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { useIsPointed, openWhy } from './open-why.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { requirementTree, type SkillRow, skillRows, type SkillRows } from './skill-rows.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { reasonLines, textLines } from '../text/text-lines.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { SkillTable } from '../../render/ink/views/skill-table.tsx'
import { knownSkillTokens, skillTextTokens } from '../../render/prompt/ledger/section-tokens.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

const ID = 'skills'

/** The skills with their status; one key activates and deactivates. */
export const skillsPane: ScreenPane = {
  id: ID,
  title: 'Skills',
  key: '1',
  place: 'list',
  actions: [
    {
      id: 'skills.toggle',
      title: 'Activate or deactivate',
      keys: ['space'],
      run: withUsable((context, { name }) => toggleSkill(context, name)),
    },
    {
      id: 'skills.details',
      title: 'Open what is known about it',
      keys: ['enter'],
      run: openWhy,
    },
    {
      id: 'skills.lifetime',
      title: 'Activate for a limited time',
      keys: ['L'],
      run: withUsable(({ ui }, { name }) =>
        ui.setState({ dialog: { kind: 'lifetime', skill: name, text: '' } }),
      ),
    },
    {
      id: 'skills.replace',
      title: 'Activate, and deactivate conflicting skills',
      keys: ['R'],
      run: withUsable((context, { name }) => activateSkill(context, name, { replace: true })),
    },
    {
      id: 'skills.cascade',
      title: 'Deactivate with the skills that require it',
      keys: ['D'],
      run: withUsable((context, { name }) => deactivateWithDependents(context, name)),
    },
    {
      id: 'skills.accept',
      title: 'Accept the change on disk',
      keys: ['a'],
      run: withUsable((context, { name }) => acceptChange(context, name)),
    },
    {
      id: 'skills.accept-all',
      title: 'Accept all changes on disk',
      keys: ['A'],
      run: (context) => acceptChange(context, null),
    },
    {
      id: 'skills.open',
      title: 'Open its file in $EDITOR',
      keys: ['e'],
      run: withSkill((context, { skill, errors: [error] }) =>
        openFile(context, error?.file === undefined ? skill : { path: error.file }),
      ),
    },
    {
      id: 'skills.trust',
      title: 'Trust its folder',
      keys: ['T'],
      run: withSkill(async (context, { name }) => {
        if (await askConsent(context, name, { kind: 'nothing' })) return
        context.ui.setState({ banner: note('note', `No folder of "${name}" waits to be trusted.`) })
      }),
    },
    {
      id: 'skills.tree',
      title: 'List by name, or below the skills that require them',
      keys: ['m'],
      run: ({ ui }) =>
        ui.setState((state) => {
          const mode = selectSkillsPane(state).mode === TREE ? '' : TREE
          return changePane(state, ID, { mode })
        }),
    },
  ],
  rows: (context) => rowsOf(context).ids,
  status(context) {
    const { rows, active } = rowsOf(context)
    const { filter } = selectSkillsPane(context.ui.getState())
    const count = `${formatCount(active)} of ${formatCount(rows.length)} active`
    return filter === '' ? count : `/${filter}: ${count}`
  },
  names: (context) => skillRows(context.reader(), '', context.ui.getState().changes).ids,
  about(context) {
    const row = current(context)
    return row === undefined ? null : aboutSkill(row, context)
  },
  View: SkillsPane,
}

/** The mode that lists skills below those that require them. */
const TREE = 'tree'

const NO_SKILLS =
  'No skills. Run "loadout init" to create a working example, or "loadout <path>" to open a folder ' +
  'with skills.'

/** Selects the state of the pane. */
export function selectSkillsPane(state: UiState): PaneState {
  return paneState(state, ID)
}

/** Selects the changes on disk that were not applied yet. */
export function selectChanges({ changes }: UiState): readonly DiskChange[] {
  return changes
}

function SkillsPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { filter, selected } = useShown(context, selectSkillsPane)
  useShown(context, selectChanges)
  // Pending skills are not part of the state.
  useShown(context, () => context.workspace().store.getState().pending)
  const reader = useReader(context)
  const { rows, ids } = rowsOf(context)
  return (
    <SkillTable
      rows={rows}
      selected={useIsPointed(context, ID, focused) ? selectedRow(ids, selected) : null}
      width={width}
      height={height}
      theme={theme}
      empty={filter === '' ? NO_SKILLS : `No skill matches "${filter}".`}
      tokensOf={({ skill }) =>
        skill === undefined ? 0 : knownSkillTokens(skill, reader.catalog, context.counter)
      }
    />
  )
}

function rowsOf(context: PlaygroundContext): SkillRows {
  const state = context.ui.getState()
  const { filter, mode } = selectSkillsPane(state)
  const reader = context.reader()
  const listed = skillRows(reader, filter, state.changes)
  return mode === TREE ? requirementTree(listed, reader.catalog) : listed
}

/** Runs an action on the skill under the cursor; without one it does nothing. */
function withSkill(
  run: (context: PlaygroundContext, row: SkillRow) => void | Promise<void>,
): (context: PlaygroundContext) => void | Promise<void> {
  return (context) => {
    const row = current(context)
    return row === undefined ? undefined : run(context, row)
  }
}

/** Returns the skill under the cursor. */
function current(context: PlaygroundContext): SkillRow | undefined {
  const { ids, rows } = rowsOf(context)
  const id = selectedRow(ids, selectSkillsPane(context.ui.getState()).selected)
  return rows.find((one) => one.id === id)
}

/** Runs an action on the skill under the cursor; for a broken file it shows the error instead. */
function withUsable(
  run: (context: PlaygroundContext, row: SkillRow) => void | Promise<void>,
): (context: PlaygroundContext) => void | Promise<void> {
  return withSkill((context, row) => {
    const [error] = row.errors
    if (error === undefined) return run(context, row)
    const text = sanitiseLine(`"${row.name}" is broken: ${error.message} ${error.hint}`)
    context.ui.setState({ banner: note('refused', text) })
  })
}

const aboutCache = identityMemo<Description>()

function aboutSkill(row: SkillRow, context: PlaygroundContext): Description {
  const reader = context.reader()
  return aboutCache([reader.state, row], '', () => ({
    title: row.name,
    lines: skillDetails(row, reader, context.counter),
  }))
}

/** The details of a skill, starting with its status and the reason. */
export function skillDetails(
  { name, skill, status, lifetime, change, errors }: SkillRow,
  reader: WorkspaceReader,
  counter: TokenCounter,
): readonly string[] {
  if (errors.length > 0) {
    return [
      `Status: ${status}`,
      'Its file has errors, so it cannot be activated.',
      ...list('Findings', errors.map(finding)),
    ]
  }
  const used = reader.catalog.skills.get(name)?.path
  const why =
    status === 'shadowed'
      ? textLines(`Another skill with this name is used${used === undefined ? '.' : `: ${used}`}`)
      : reasonLines(reader.explainSkill(name))
  const head = [
    `Status: ${status}${lifetime === '' ? '' : `, ${lifetime}`}`,
    ...(change === '' ? [] : [`On disk: ${change}`]),
    ...why,
  ]
  if (skill === undefined) return head
  const tools = reader.catalog.skillTools.get(name) ?? []
  return [
    ...head,
    '',
    ...textLines(skill.description),
    ...fact('Name', skill.displayName === name ? '' : skill.displayName),
    ...fact('Version', skill.version),
    ...fact('Tokens', skillPriceText(skill, reader.catalog, counter)),
    ...fact('Read from', skill.path ?? ''),
    ...list('Requires', requirementLines(name, reader)),
    ...list('Required by', dependentsOf(name, reader)),
    ...fact('Conflicts with', skill.conflicts.join(', ')),
    ...fact('Extends', skill.extends.join(', ')),
    ...fact('Tags', skill.tags.join(', ')),
    ...fact('Aliases', skill.aliases.join(', ')),
    ...fact('Activated by', activators(skill)),
    ...fact('Permissions', skill.permissions.join(', ')),
    ...list(
      'Tools',
      tools.map(({ tool }) => `${tool.name}${obstacleOf(tool, name, reader)}: ${tool.summary}`),
    ),
    ...list(
      'Files',
      skill.files.map(({ path, size }) => `${path} (${formatCount(size)} bytes)`),
    ),
    ...list('Findings', skill.diagnostics.map(finding)),
    '',
    'Instructions',
    ...textLines(skill.instructions === '' ? 'none' : skill.instructions),
  ]
}

/** Lists what a skill requires, and what that requires, indented; each with a mark while it is active. */
function requirementLines(
  name: string,
  reader: WorkspaceReader,
  above: readonly string[] = [name],
): readonly string[] {
  const required = reader.catalog.skills.get(name)?.requires ?? []
  return required.flatMap((one) => {
    const status = reader.explainSkill(one).status
    const line = `${'  '.repeat(above.length - 1)}${one} (${status})`
    // Skills that require each other are reported by lint.
    return above.includes(one) ? [line] : [line, ...requirementLines(one, reader, [...above, one])]
  })
}

/** Lists the skills that require a skill directly. */
function dependentsOf(name: string, reader: WorkspaceReader): readonly string[] {
  return [...reader.catalog.skills.values()]
    .filter(({ requires }) => requires.includes(name))
    .map((one) => `${one.name} (${reader.explainSkill(one.name).status})`)
}

/** Writes the tokens that a skill adds to a request: `1,232 (text 406, tools 826)`. */
function skillPriceText(skill: Skill, catalog: Catalog, counter: TokenCounter): string {
  const all = knownSkillTokens(skill, catalog, counter)
  if (all === null) return '?'
  const text = skillTextTokens(skill, counter)
  return `${formatCount(all)} (text ${formatCount(text)}, tools ${formatCount(all - text)})`
}

/** Returns who may activate a skill, when its author does not leave that to everybody. */
function activators({ disableModelInvocation, userInvocable }: Skill): string {
  if (disableModelInvocation !== true && userInvocable !== false) return ''
  const parts = [
    ...(disableModelInvocation === true ? [] : ['models']),
    ...(userInvocable === false ? [] : ['people']),
    'the host',
  ]
  return parts.join(' and ')
}

/** Returns the status of a tool of an active skill that cannot be called now, as a mark. */
function obstacleOf({ hash }: Tool, skill: string, reader: WorkspaceReader): string {
  const listed = reader
    .tools()
    .find((one) => one.source === 'skill' && one.owner === skill && one.tool?.hash === hash)
  const isPlain = listed?.status === 'available' || listed?.status === 'skill-inactive'
  return listed === undefined || isPlain ? '' : ` (${listed.status})`
}

function fact(label: string, value: string): string[] {
  return value === '' ? [] : textLines(`${label}: ${value}`)
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.flatMap((one) => textLines(`  ${one}`))]
}

function finding({ severity, message, hint, file, line }: Diagnostic): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
  return `${severity}: ${message} ${hint}${place}`
}
