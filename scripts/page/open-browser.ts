import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The programs that are tried, after the one of `BROWSER_PROGRAM`. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']

/** Returns the path of a browser of this machine; null without one. */
export function findBrowser(): string | null {
  const given = process.env['BROWSER_PROGRAM']
  if (given !== undefined) return given
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A message of the DevTools protocol. */
interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

/** One tab of the browser. */
export interface BrowserTab {
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>
  /** Opens an address, and resolves when it was loaded. */
  open(url: string): Promise<void>
  /** Returns the value of an expression in the page. */
  read<Value>(expression: string): Promise<Value>
  /** Presses a key, such as `j` or `Escape`. */
  press(key: string): Promise<void>
  /** Clicks the first element of a selector, at its centre. */
  click(selector: string): Promise<void>
  /** The addresses that were requested since the tab was opened. */
  readonly requests: readonly string[]
  /** Errors, warnings and violations of the policy since the tab was opened or the list was emptied. */
  readonly problems: string[]
}

/** A browser without a window. */
export interface Browser {
  openTab(): Promise<BrowserTab>
  close(): Promise<void>
}

/** Milliseconds for the answer to a command. */
const LIMIT_MS = 30_000

/** Starts a browser with an empty profile, and connects to it. */
export async function openBrowser(program: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'loadout-browser-'))
  const isRoot = process.getuid?.() === 0
  const child = spawn(
    program,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--hide-scrollbars',
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const exit = once(child, 'exit')
  await once(child, 'spawn')
  const socket = new WebSocket(await debuggerAddress(child.stderr))
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<NonNullable<Message['result']>>>()
  const listeners = new Map<string, (message: Message) => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    const { id, result = {}, error } = message
    if (id === undefined) return listeners.get(message.sessionId ?? '')?.(message)
    if (error === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(error.message))
    waiting.delete(id)
  })
  const send = (method: string, params: object = {}, sessionId?: string) => {
    last += 1
    const answer = Promise.withResolvers<NonNullable<Message['result']>>()
    waiting.set(last, answer)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    const late = setTimeout(() => answer.reject(new Error(`${method} has no answer.`)), LIMIT_MS)
    return answer.promise.finally(() => clearTimeout(late))
  }
  return {
    async openTab() {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      const session = String(sessionId)
      return createTab(
        (method, params) => send(method, params, session),
        (listener) => listeners.set(session, listener),
      )
    },
    async close() {
      await send('Browser.close')
      await exit
      socket.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function debuggerAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  const said: string[] = []
  for await (const line of createInterface({ input: stderr })) {
    const [, address] = /^DevTools listening on (ws:\S+)/.exec(line) ?? []
    if (address !== undefined) {
      stderr.resume()
      return address
    }
    said.push(line)
  }
  throw new Error(`The browser ended before it could be used:\n${said.join('\n')}`)
}

async function createTab(
  send: BrowserTab['send'],
  listen: (listener: (message: Message) => void) => void,
): Promise<BrowserTab> {
  const requests: string[] = []
  const problems: string[] = []
  let loaded = Promise.withResolvers<void>()
  listen(({ method, params = {} }) => {
    if (method === 'Page.loadEventFired') loaded.resolve()
    if (method === 'Network.requestWillBeSent') requests.push(textOf(params['request'], 'url'))
    if (method === 'Log.entryAdded') problems.push(textOf(params['entry'], 'text'))
    if (method === 'Runtime.exceptionThrown') problems.push(JSON.stringify(params))
  })
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await send(`${domain}.enable`)
  const read = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { readonly value: Value }).value
  }
  return {
    send,
    read,
    requests,
    problems,
    async open(url) {
      loaded = Promise.withResolvers()
      await send('Page.navigate', { url })
      await loaded.promise
    },
    async press(key) {
      const text = key.length === 1 ? { text: key } : {}
      await send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', key })
    },
    async click(selector) {
      const place = await read<{ x: number; y: number }>(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)})
        element.scrollIntoView({ block: 'center' })
        const { x, y, width, height } = element.getBoundingClientRect()
        return { x: x + width / 2, y: y + Math.min(height / 2, 10) }
      })()`)
      const press = { ...place, button: 'left', clickCount: 1 }
      await send('Input.dispatchMouseEvent', { ...press, type: 'mousePressed' })
      await send('Input.dispatchMouseEvent', { ...press, type: 'mouseReleased' })
      await read('new Promise((done) => setTimeout(done))')
    },
  }
}

function textOf(value: unknown, member: string): string {
  return String((value as Readonly<Record<string, unknown>>)[member])
}
