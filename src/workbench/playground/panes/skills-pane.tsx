import { type ReactElement, useMemo } from 'react'
import { glyphsOf } from '../../../entries/ink-views.ts'
import { decidingPlace, filePlace, identityMemo, sanitiseLine } from '../../../entries/kit.ts'
import { skillsReport, type SkillsReport } from '../../report/facts/skills-report.ts'
import { ReportTable } from '../../report/writers/report-table.tsx'
import { activateSkill, deactivateWithDependents, toggleSkill } from '../changes/activate-skill.ts'
import { askConsent } from '../changes/ask-consent.ts'
import { openFile } from '../changes/open-file.ts'
import { switchSkills, whyNoSwitch } from '../changes/switch-skills.ts'
import { acceptChange, whyNoChange } from '../changes/change-session.ts'
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
import { useIsPointed, openWhy } from './open-why.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import {
  requirementTree,
  rowsByScope,
  type SkillRow,
  skillRows,
  type SkillRows,
} from './skill-rows.ts'
import { changeLines, priceText } from '../changes/change-lines.ts'
import { skillDetails } from './skill-details.ts'
import { cachePerState } from '../../report/facts/cache-per-state.ts'
import { selectedRow } from '../rows/move-selection.ts'

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
      verb: 'on/off',
      keys: ['space'],
      whyNot: whyNoChange,
      run: withUsable((context, { name }) => toggleSkill(context, name)),
    },
    {
      id: 'skills.details',
      title: 'Open what is known about it',
      verb: 'why',
      keys: ['enter'],
      run: openWhy,
    },
    {
      id: 'skills.lifetime',
      title: 'Activate for a limited time',
      verb: 'for a time',
      keys: ['L'],
      whyNot: whyNoChange,
      run: withUsable(({ ui }, { name }) =>
        ui.setState({ dialog: { kind: 'lifetime', skill: name, text: '' } }),
      ),
    },
    {
      id: 'skills.replace',
      title: 'Activate, and deactivate conflicting skills',
      verb: 'replace',
      keys: ['R'],
      whyNot: whyNoChange,
      run: withUsable((context, { name }) => activateSkill(context, name, { replace: true })),
    },
    {
      id: 'skills.cascade',
      title: 'Deactivate with the skills that require it',
      verb: 'off with users',
      keys: ['D'],
      whyNot: whyNoChange,
      run: withUsable((context, { name }) => deactivateWithDependents(context, name)),
    },
    {
      id: 'skills.accept',
      title: 'Accept the change on disk',
      verb: 'accept',
      keys: ['a'],
      whyNot: whyNoAccept,
      run: withUsable((context, { name }) => acceptChange(context, name)),
    },
    {
      id: 'skills.accept-all',
      title: 'Accept all changes on disk',
      verb: 'accept all',
      keys: ['A'],
      whyNot: whyNoAccept,
      run: (context) => acceptChange(context, null),
    },
    {
      id: 'skills.open',
      title: 'Open its file in $EDITOR',
      verb: 'edit',
      keys: ['e'],
      run: withSkill((context, { skill, unread }) => openFile(context, unread ?? skill)),
    },
    {
      id: 'skills.trust',
      title: 'Trust its folder',
      verb: 'trust',
      keys: ['T'],
      whyNot: ({ consent }) => (consent === null ? NOTHING_TO_TRUST : null),
      run: withSkill(async (context, { name }) => {
        if (await askConsent(context, name, { kind: 'nothing' })) return
        context.ui.setState({ banner: note('note', NOTHING_TO_TRUST) })
      }),
    },
    {
      id: 'skills.off',
      title: 'Turn off or on for models, in this project',
      verb: 'off for models',
      keys: ['o'],
      whyNot: whyNoSwitch,
      run: withUsable((context, { name }) => switchSkills(context, [name])),
    },
    {
      id: 'skills.off-scope',
      title: 'Turn all skills of its scope off or on',
      verb: 'scope off',
      keys: ['O'],
      whyNot: whyNoSwitch,
      run: withUsable(switchScope),
    },
    {
      id: 'skills.tree',
      title: 'List by name, below the skills that require them, or by scope',
      verb: 'group',
      keys: ['m'],
      run: ({ ui, skillDesk }) =>
        ui.setState((state) => {
          const modes = skillDesk === null ? ['', TREE] : ['', TREE, SCOPE]
          const at = modes.indexOf(selectSkillsPane(state).mode)
          return changePane(state, ID, { mode: modes[(at + 1) % modes.length] ?? '' })
        }),
    },
  ],
  rows: (context) => readSkillRows(context).ids,
  status(context) {
    const { rows } = readSkillRows(context)
    const { filter } = selectSkillsPane(context.ui.getState())
    const report = readReport(context)
    const count = summaryMemo([report, rows], '', () => report.summary(rows))
    return filter === '' ? count : `/${filter}: ${count}`
  },
  names: (context) => skillRows(context.reader(), '').ids,
  about(context) {
    const row = current(context)
    return row === undefined ? null : aboutSkill(row, context)
  },
  View: SkillsPane,
}

/** Returns the reason why there is no change to accept; null when there is one. */
function whyNoAccept(context: PlaygroundContext): string | null {
  const { changes } = context.ui.getState()
  return whyNoChange(context) ?? (changes.length === 0 ? 'No change on disk waits.' : null)
}

const summaryMemo = identityMemo<string>()

const NOTHING_TO_TRUST = 'No folder of this skill waits to be trusted.'

/** The mode that lists skills below those that require them. */
const TREE = 'tree'
/** The mode that lists skills by where they were read from. */
const SCOPE = 'scope'

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
  useReader(context)
  const { rows, ids } = readSkillRows(context)
  const { side, bottomLeft, line } = glyphsOf(theme)
  const groups = useMemo(() => [{ id: '', title: null, folded: false, rows }], [rows])
  return (
    <ReportTable
      report={readReport(context)}
      groups={groups}
      branch={({ depth = 0 }) =>
        depth === 0 ? '' : `${`${side} `.repeat(depth - 1)}${bottomLeft}${line} `
      }
      selected={useIsPointed(context, ID, focused) ? selectedRow(ids, selected) : null}
      width={width}
      height={height}
      theme={theme}
      empty={filter === '' ? NO_SKILLS : `No skill matches "${filter}".`}
    />
  )
}

function readReport(context: PlaygroundContext): SkillsReport {
  const { changes } = context.ui.getState()
  const isScoped = selectSkillsPane(context.ui.getState()).mode === SCOPE
  return reportCache(context.reader(), context, changes, isScoped && context.skillDesk !== null)
}

const reportCache = cachePerState(
  (reader, context: PlaygroundContext, changes: readonly DiskChange[], isScoped: boolean) => {
    const { counter, skillDesk } = context
    const changed = new Map(
      changes.map((change) => [change.skill, change.what + priceText(change, counter)]),
    )
    return skillsReport(reader, counter, {
      ...(skillDesk && { scopeOf: skillDesk.scopeOf }),
      change: (name) => changed.get(name) ?? '',
      isScoped,
    })
  },
)

function readSkillRows(context: PlaygroundContext): SkillRows {
  const state = context.ui.getState()
  const { filter, mode } = selectSkillsPane(state)
  const reader = context.reader()
  const listed = skillRows(reader, filter)
  if (mode === SCOPE && context.skillDesk !== null) return rowsByScope(listed, context.skillDesk)
  return mode === TREE ? requirementTree(listed, reader.catalog) : listed
}

/** Turns the skills off that have the scope of a skill; those that are broken or shadowed stay. */
function switchScope(context: PlaygroundContext, { skill }: SkillRow): Promise<void> | void {
  const { skillDesk: desk } = context
  const { skills } = context.reader().catalog
  const scope = desk?.scopeOf(skill)
  const names = [...skills.values()].filter((one) => desk?.scopeOf(one) === scope)
  return switchSkills(
    context,
    names.map(({ name }) => name),
  )
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
  const { ids, rows } = readSkillRows(context)
  const id = selectedRow(ids, selectSkillsPane(context.ui.getState()).selected)
  return rows.find((one) => one.id === id)
}

/** Runs an action on the skill under the cursor; for a broken file it shows the error instead. */
function withUsable(
  run: (context: PlaygroundContext, row: SkillRow) => void | Promise<void>,
): (context: PlaygroundContext) => void | Promise<void> {
  return withSkill((context, row) => {
    const [error] = row.unread?.errors ?? []
    if (error === undefined) return run(context, row)
    const text = sanitiseLine(`"${row.name}" is broken: ${error.message} ${error.hint}`)
    context.ui.setState({ banner: note('refused', text) })
  })
}

const aboutCache = identityMemo<Description>()

function aboutSkill(row: SkillRow, context: PlaygroundContext): Description {
  const reader = context.reader()
  const { name, skill, unread } = row
  const report = readReport(context)
  const history = context.history.about('skill', name)
  const change = context.ui.getState().changes.find(({ skill: changed }) => changed === name)
  return aboutCache([reader.state, row, report, history], '', () => ({
    title: name,
    asks: name,
    lines: [
      ...(change === undefined ? [] : [...changeLines(change, context.counter), '']),
      ...skillDetails(row, report, history, context),
    ],
    // Of the error in a broken file, of the rule that turns the skill off, or else of its file.
    place:
      filePlace(unread?.errors[0] ?? {}) ??
      decidingPlace(reader.explainSkill(name)) ??
      filePlace({ file: skill?.path }),
  }))
}
