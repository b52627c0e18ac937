import type { VirtualWorkspace } from '../../../entries/index.ts'
import { sanitiseText } from '../../../entries/kit.ts'
import { whyNoChange } from './change-session.ts'
import type { ChatAnswer, ChatEvent, ChatQuestion } from '../chat/chat-event.ts'
import type { OpenChat } from '../chat/open-chat.ts'
import { storedTranscript, type TranscriptLine, transcriptLines } from '../chat/transcript-lines.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Action } from '../context/screen-pane.ts'
import { showQuestion, WAITING } from '../context/show-question.ts'
import {
  type ChatState,
  note,
  recallMessage,
  type UiState,
  type UiStore,
} from '../context/ui-state.ts'
import { fieldActions } from '../keys/field-actions.ts'
import { insertLines, moveLine } from '../text/insert-lines.ts'
import { moveCursor, type TextField } from '../text/text-field.ts'
import { completeWord } from './complete-word.ts'

/** The id of the tab with the conversation. */
export const CHAT = 'chat'

/** Lines of a conversation that are kept on the screen. */
const MOST_LINES = 2000

/** A conversation, and the session that it goes on in. */
interface Talk {
  readonly workspace: VirtualWorkspace
  readonly opening: Promise<OpenChat>
}

/** The conversation of each screen. */
const talks = new WeakMap<UiStore, Talk>()

/** The running turn of each screen. */
const turns = new WeakMap<UiStore, AbortController>()

/** Returns true while a model answers on this screen. */
export function isAnswering({ ui }: Pick<PlaygroundContext, 'ui'>): boolean {
  return turns.has(ui)
}

/** Opens the field for a message, and the conversation. */
export async function startWriting(context: PlaygroundContext): Promise<void> {
  const { ui } = context
  const none = context.live ? NO_MODEL : NO_CHAT
  const why = context.openChat === null ? none : whyNoChange(context)
  if (why !== null) return ui.setState({ banner: note('note', why) })
  ui.setState(writingIn)
  await openTalk(context)
}

const NO_MODEL = 'This screen has no model to write to.'

const NO_CHAT = 'Nobody can talk to the model of a session that is open read-only.'

/** Says the written message to the model. Without one, an answer that was cut short is continued. */
async function sendMessage(context: PlaygroundContext): Promise<void> {
  const { ui } = context
  const written = ui.getState().writing?.text ?? ''
  const text = written.trim()
  if (isAnswering(context)) {
    return ui.setState({ banner: note('note', 'The model still answers. Esc interrupts it.') })
  }
  const controller = new AbortController()
  turns.set(ui, controller)
  ui.setState({ busy: ANSWERS })
  try {
    const { chat, model } = await openTalk(context)
    // Letters that were typed meanwhile belong to the next message.
    changeMessage(context, (now) => insertLines(EMPTY, now.text.slice(written.length)))
    changeChat(ui, ({ said }) => ({
      held: null,
      chosen: null,
      recalled: null,
      draft: '',
      ...(text !== '' && { said: [...said, text] }),
    }))
    const continues = text === '' && chat.isOpen
    // An empty message makes the next move of a scenario.
    if (text === '' && !continues && model.begin === undefined) return
    const turn = continues ? chat.resume(controller.signal) : chat.say(text, controller.signal)
    for await (const event of turn) noteEvent(ui, event)
  } finally {
    turns.delete(ui)
    endAnswer(ui)
  }
}

const ANSWERS = 'the model answers, Esc interrupts it'

const WAITS = 'the model waits for your answer'

const EMPTY: TextField = { text: '', cursor: 0 }

/** The actions of keys that type nothing, while a message is written. */
export const writingActions: readonly Action[] = [
  {
    id: 'writing.send',
    title: 'Say it to the model',
    verb: 'send',
    keys: ['enter'],
    run: sendMessage,
  },
  {
    id: 'writing.leave',
    title: 'Interrupt the answer, or leave the field',
    verb: 'interrupt, or leave',
    keys: ['esc'],
    run: (context) =>
      isAnswering(context) ? interruptTurn(context) : context.ui.setState(leaveField),
  },
  {
    id: 'writing.next',
    title: 'Complete the name, or go to the question or the list',
    verb: 'complete, or leave',
    keys: ['tab'],
    run(context) {
      if (!completeWord(context)) leaveForList(context)
    },
  },
  writingKey('break', ['alt+enter', 'shift+enter', 'ctrl+n'], 'New line', (now) =>
    insertLines(now, '\n'),
  ),
  lineKey('up', 'Line above, or the message before', -1),
  lineKey('down', 'Line below, or the message after', 1),
  writingKey('left', ['left'], 'Cursor left', (now) => moveCursor(now, -1)),
  writingKey('right', ['right'], 'Cursor right', (now) => moveCursor(now, 1)),
  ...fieldActions('writing', changeMessage),
]

/** Moves to the question that waits. It never happens by itself: a letter of a message must not answer it. */
function leaveForList({ ui, workspace }: PlaygroundContext): void {
  const [asked] = workspace().state.confirmations
  ui.setState((state) =>
    asked === undefined
      ? { ...leaveField(state), focus: state.list }
      : showQuestion(leaveField(state), asked.id),
  )
}

/** Leaves the field. What was written is there again when it is opened. */
function leaveField(state: UiState): UiState {
  const { chat, writing } = state
  const draft = writing?.text ?? chat.draft
  return { ...state, writing: null, chat: { ...chat, draft, recalled: null } }
}

/** Returns from the answered question to the conversation. */
function returnToChat(state: UiState): UiState {
  if (state.list !== WAITING) return state
  const [list = state.list] =
    Object.entries(state.tabs).find(([from, tab]) => tab === CHAT && from !== WAITING) ?? []
  return writingIn({ ...state, list })
}

function writingIn(state: UiState): UiState {
  const tabs = { ...state.tabs, [state.list]: CHAT }
  const { draft } = state.chat
  const writing = state.writing ?? { text: draft, cursor: draft.length }
  return { ...state, tabs, focus: CHAT, filtering: false, writing }
}

function writingKey(
  id: string,
  keys: readonly string[],
  title: string,
  to: (now: TextField) => TextField,
): Action {
  return { id: `writing.${id}`, title, keys, run: (context) => changeMessage(context, to) }
}

function lineKey(key: string, title: string, by: -1 | 1): Action {
  return {
    id: `writing.${key}`,
    title,
    keys: [key],
    run: ({ ui }) =>
      ui.setState((state) => {
        const moved = state.writing && moveLine(state.writing, by)
        return moved === null ? recallMessage(state, by) : { ...state, writing: moved }
      }),
  }
}

function changeMessage({ ui }: PlaygroundContext, to: (now: TextField) => TextField): void {
  ui.setState(({ writing }) => ({ writing: writing && to(writing) }))
}

/** Ends the running turn. Its calls that run are aborted. */
export function interruptTurn({ ui }: Pick<PlaygroundContext, 'ui'>): void {
  turns.get(ui)?.abort(new Error('The user interrupted it.'))
}

/** Opens the conversation of a screen once; again, with the same messages, when its session was opened again. */
function openTalk(context: PlaygroundContext): Promise<OpenChat> {
  const { ui } = context
  const workspace = context.workspace()
  const known = talks.get(ui)
  if (known?.workspace === workspace) return known.opening
  const talk = { workspace, opening: openOn(workspace, context, known) }
  talks.set(ui, talk)
  talk.opening.catch(() => {
    if (talks.get(ui) === talk) talks.delete(ui)
  })
  return talk.opening
}

async function openOn(
  workspace: VirtualWorkspace,
  context: PlaygroundContext,
  known: Talk | undefined,
): Promise<OpenChat> {
  const { ui, openChat } = context
  if (openChat === null) throw new TypeError(NO_CHAT)
  const before = await known?.opening
  const opened = await openChat({
    workspace,
    ask: (question) => answerOnScreen(question, context, turns.get(ui)?.signal),
    store: before?.store,
  })
  context.texts.follow(opened.store.messages)
  if (before === undefined) {
    const lines = storedTranscript(opened.store.messages)
    const { withheld } = opened.store
    const next = opened.model.begin === undefined ? [] : [NEXT_MOVE]
    const open = opened.chat.isOpen
      ? [UNFINISHED]
      : withheld
        ? transcriptLines(withheld, null)
        : next
    const said = opened.store.messages.flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? [content] : [],
    )
    changeChat(ui, () => ({ model: opened.model.name, lines: [...lines, ...open], said }))
  }
  return opened
}

const UNFINISHED = {
  kind: 'note',
  text: 'The last message has no whole answer. Send an empty message to continue it.',
} as const

const NEXT_MOVE = {
  kind: 'note',
  text: 'Enter makes the next move of the scenario.',
} as const

/** Waits until the question was answered in the list of what waits, or by another process. */
function answerOnScreen(
  { question }: ChatQuestion,
  { ui, workspace }: PlaygroundContext,
  signal: AbortSignal | undefined,
): Promise<ChatAnswer | null> {
  const { store } = workspace()
  return new Promise((resolve) => {
    const isBusy = (text: string) => ui.getState().busy === text
    if (isBusy(ANSWERS)) ui.setState({ busy: WAITS })
    const end = (answer: ChatAnswer | null) => {
      stop()
      if (isBusy(WAITS)) ui.setState({ busy: ANSWERS })
      resolve(answer)
      if (answer !== null) ui.setState(returnToChat)
    }
    const check = () => {
      const { confirmations, answers } = store.getState().state
      if (confirmations.some(({ id }) => id === question)) return
      const answer = answers.find(({ id }) => id === question)
      end(answer?.consent === 'approved' ? 'call' : 'no')
    }
    const stop = store.subscribe(check)
    signal?.addEventListener('abort', () => end(null), { once: true })
    check()
  })
}

/** The tools of the last step of each conversation on a screen. */
const lastTools = new WeakMap<UiStore, readonly string[]>()

function noteEvent(ui: UiStore, event: ChatEvent): void {
  if (event.type === 'text') {
    const { text = '', timer = setTimeout(() => drawText(ui), COLLECT_MS) } =
      collected.get(ui) ?? {}
    collected.set(ui, { text: text + event.text, timer })
    return
  }
  const lines = transcriptLines(event, lastTools.get(ui) ?? null)
  if (event.type === 'step.begun') lastTools.set(ui, event.tools)
  if (lines.length === 0) return
  endAnswer(ui)
  changeChat(ui, (chat) => ({ lines: withLines(chat.lines, lines) }))
}

/** Milliseconds for which pieces of an answer are collected: more frames in a second cannot be read. */
const COLLECT_MS = 60

/** The pieces of each screen that are not drawn yet. */
const collected = new WeakMap<UiStore, { readonly text: string; readonly timer: NodeJS.Timeout }>()

/**
 * Adds the collected pieces to the answer. Whole lines never change again, so a long answer is not wrapped again for
 * each piece.
 */
function drawText(ui: UiStore): void {
  const { text = '', timer } = collected.get(ui) ?? {}
  clearTimeout(timer)
  collected.delete(ui)
  if (text === '') return
  changeChat(ui, ({ answer, lines }) => {
    const [last = '', ...whole] = (answer + text).split('\n').toReversed()
    if (whole.length === 0) return { answer: last }
    return { answer: last, lines: withLines(lines, whole.toReversed().map(modelLine)) }
  })
}

/** Turns the text of the answer so far into a line. */
function endAnswer(ui: UiStore): void {
  drawText(ui)
  changeChat(ui, ({ answer, lines }) =>
    answer === '' ? {} : { answer: '', lines: withLines(lines, [modelLine(answer)]) },
  )
}

function modelLine(text: string): TranscriptLine {
  return { kind: 'model', text: sanitiseText(text) }
}

function withLines(
  lines: readonly TranscriptLine[],
  more: readonly TranscriptLine[],
): readonly TranscriptLine[] {
  return [...lines, ...more].slice(-MOST_LINES)
}

function changeChat(ui: UiStore, change: (chat: ChatState) => Partial<ChatState>): void {
  ui.setState(({ chat }) => ({ chat: { ...chat, ...change(chat) } }))
}
