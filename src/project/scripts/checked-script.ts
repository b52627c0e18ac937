import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { textHash } from '../../kernel/content-hash.ts'
import type { ScriptRequest } from '../../workspace/offer/meta-tools/script-run.ts'
import { isInside } from '../walk/is-inside.ts'
import { readInside } from '../walk/read-inside.ts'
import type { TrustStatus, TrustStore } from '../trust/trust-store.ts'
import { scriptRefusal } from './script-refusal.ts'

type Script = Pick<ScriptRequest, 'skill' | 'file'>

/**
 * The real path and the bytes of a script that may run: its folder is trusted as it is now, which covers
 * what the script loads from it, and the script itself is what the session activated.
 *
 * It is looked at just before it starts. Who can write to a trusted folder in between is the user, or has
 * what the user has.
 */
export async function checkedScript(
  script: Script,
  trust: Pick<TrustStore, 'check'>,
): Promise<{ readonly path: string; readonly bytes: Uint8Array }> {
  const { baseDirectory } = script.skill
  if (baseDirectory === undefined) {
    const hint =
      'Scripts run from the folder a skill was loaded from; this one was defined in code.'
    throw scriptRefusal('SCRIPT_NOT_ON_DISK', script, 'the skill has no folder.', hint)
  }
  const folder = await realpath(baseDirectory).catch((cause: unknown) => {
    const hint = 'Load the skills again.'
    const why = `the folder "${baseDirectory}" is gone.`
    throw scriptRefusal('SCRIPT_NOT_ON_DISK', script, why, hint, { cause })
  })
  assertTrusted(await trust.check(folder), folder, script)
  const path = join(folder, script.file.path)
  const maxBytes = script.file.size
  const outcome = await readInside(folder, path, { maxBytes, followLinksOut: false })
  if (!outcome.ok) throw changed(script, outcome.fault.message)
  if (textHash(outcome.bytes) !== script.file.hash) {
    throw changed(script, 'Its content is another one.')
  }
  const real = await realpath(path)
  if (!isInside(folder, real)) throw changed(script, 'It leads out of the folder of its skill.')
  return { path: real, bytes: outcome.bytes }
}

function assertTrusted(status: TrustStatus, folder: string, script: Script): void {
  if (status.status === 'trusted') return
  const hint = `Read the scripts, then trust the folder: loadout trust "${folder}".`
  const facts = { folder, status: status.status }
  if (status.status === 'untrusted') {
    const why = `the folder "${folder}" is not trusted.`
    throw scriptRefusal('SCRIPT_UNTRUSTED', script, why, hint, { facts })
  }
  const { files } = status
  const named = files.slice(0, 5).join(', ')
  const why = `its folder changed since it was trusted: ${named}${files.length > 5 ? ', …' : ''}.`
  throw scriptRefusal('SCRIPT_UNTRUSTED', script, why, hint, { facts: { ...facts, files } })
}

function changed(script: Script, why: string): Error {
  const hint = 'Load the skills again, and accept the skill as it is now.'
  const what = `it is not the file that the session activated. ${why}`
  return scriptRefusal('SCRIPT_CHANGED', script, what, hint)
}
