import { basename, relative, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ScriptRequest, ScriptRun } from '../../../entries/index.ts'
import { shellWord } from '../../../entries/kit.ts'
import { BoundedOutput, collectRun, readAll, type RunLimits } from '../sandbox/collect-run.ts'
import type { FolderSandbox } from '../sandbox/open-folder-sandbox.ts'
import { copyActiveSkill, skillVariables } from '../sandbox/with-skill-folders.ts'
import type { SandboxProcess, SandboxSession } from '../sandbox/sandbox-session.ts'
import type { ProcessEnd } from '../../../connections/processes/start-process.ts'

/** A script that has been checked, with what runs it. */
interface CheckedScript {
  /** The real path of the skill's folder on the host. */
  readonly folder: string
  /** The real path of the script on the host. */
  readonly path: string
  readonly command: readonly [string, ...string[]]
  readonly request: ScriptRequest
}

/** Runs a script in a sandbox. Rejects when it cannot be started. */
export async function runInSandbox(
  script: CheckedScript,
  sandbox: SandboxSession,
  limits: RunLimits,
): Promise<ScriptRun> {
  const { signal, stays } = script.request
  const started =
    'startProgram' in sandbox
      ? await startOnHost(script, sandbox as FolderSandbox)
      : await startElsewhere(script, sandbox)
  if (stays === undefined) return collectRun(started, limits, signal)
  return letStay(started, script, sandbox, limits, stays)
}

/** Starts a script where it is, without a shell. */
async function startOnHost(
  { folder, path, command: [command, ...first], request }: CheckedScript,
  sandbox: FolderSandbox,
): Promise<SandboxProcess> {
  const started = await sandbox.startProgram({
    command,
    arguments: [...first, path, ...request.arguments],
    environment: skillVariables(folder),
    reads: folder,
    stays: request.stays !== undefined,
  })
  const writer = started.stdin.getWriter()
  // A script may leave its input unread, so nothing waits for it.
  void writer
    .write(new TextEncoder().encode(request.stdin))
    .then(() => writer.close())
    .catch(() => undefined)
  return started
}

/** The folder below that of a sandbox which has the files of skills and runs. */
const OWN_FOLDER = '.loadout'

/** Starts a script in a sandbox that has not the files of the host: they are copied into it first. */
async function startElsewhere(
  { folder, path, command, request }: CheckedScript,
  sandbox: SandboxSession,
): Promise<SandboxProcess> {
  const { skill, file, stdin } = request
  const inner = `${OWN_FOLDER}/skills/${skill.name}`
  await copyActiveSkill(folder, skill.files ?? [file], inner, sandbox)
  const { stdout } = await sandbox.run({ command: 'pwd' })
  const base = `${stdout.trim()}/${inner}`
  const script = `${base}/${relative(folder, path).split(sep).join('/')}`
  const words = [...command, script, ...request.arguments].map(shellWord).join(' ')
  const input = `${OWN_FOLDER}/stdin`
  await sandbox.writeTextFile({ path: input, content: stdin })
  return sandbox.spawn({
    command: `${words} < ${shellWord(`${stdout.trim()}/${input}`)}`,
    env: skillVariables(base),
  })
}

/** Milliseconds to wait for a script that stays to exit or to write. */
const FIRST_OUTPUT_MS = 5_000

/** Milliseconds to wait for more after the first output. */
const MORE_OUTPUT_MS = 500

let lastRun = 0

/**
 * Answers about a script that may go on: when it has exited, or a moment after its first output. From then on its
 * output is kept, bounded, in a file of the sandbox.
 */
async function letStay(
  started: SandboxProcess,
  { request }: CheckedScript,
  sandbox: SandboxSession,
  { maxBytes }: RunLimits,
  stays: AbortSignal,
): Promise<ScriptRun> {
  const begun = performance.now()
  const end = () => void started.kill()
  stays.addEventListener('abort', end, { once: true })
  request.signal.addEventListener('abort', end, { once: true })
  if (stays.aborted || request.signal.aborted) end()
  lastRun += 1
  const outputFile = `${OWN_FOLDER}/runs/${request.skill.name}-${basename(request.file.path)}-${lastRun}.txt`
  const stdout = new BoundedOutput(maxBytes)
  const stderr = new BoundedOutput(maxBytes)
  const wrote = Promise.withResolvers<void>()
  const write = latestOnly(async () => {
    const content = stdout.text() + stderr.text()
    await sandbox.writeTextFile({ path: outputFile, content })
  })
  const follow = (output: BoundedOutput) => (chunk: Uint8Array) => {
    output.add(chunk)
    wrote.resolve()
    void write()
  }
  const read = Promise.all([
    readAll(started.stdout, follow(stdout)),
    readAll(started.stderr, follow(stderr)),
  ])
  const status = await exitOrOutput(Promise.resolve(started.wait()), wrote.promise)
  request.signal.removeEventListener('abort', end)
  const { exitCode = null, signal = null, left = [] } = status ?? {}
  const goesOn = status === null || left.length > 0
  // The file is there before the answer names it.
  if (goesOn) await write()
  else {
    stays.removeEventListener('abort', end)
    await started.kill()
    await read
  }
  return {
    ended: request.signal.aborted ? 'aborted' : goesOn ? 'stays' : 'exited',
    exitCode,
    signal,
    stdout: stdout.text(),
    stderr: stderr.text(),
    durationMs: Math.round(performance.now() - begun),
    ...(goesOn && { left, outputFile }),
  }
}

/** Returns how a script ended, or null when it goes on a moment after its first output. */
async function exitOrOutput(
  exit: Promise<Partial<ProcessEnd>>,
  wrote: Promise<void>,
): Promise<Partial<ProcessEnd> | null> {
  const settled = new AbortController()
  const after = (ms: number) => setTimeout(ms, null, { signal: settled.signal }).catch(() => null)
  const status = await Promise.race([
    exit,
    after(FIRST_OUTPUT_MS),
    wrote.then(() => after(MORE_OUTPUT_MS)),
  ])
  settled.abort()
  return status
}

/** Returns a function that runs a task, once more after it was wanted while it ran, and resolves when it has run. */
function latestOnly(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isWanted = false
  return () => {
    isWanted = true
    running ??= (async () => {
      while (isWanted) {
        isWanted = false
        // A sandbox that is gone takes no more output.
        await task().catch(() => undefined)
      }
      running = undefined
    })()
    return running
  }
}
