import { expect, onTestFinished, test } from 'vitest'
import { makeCase, removeCase } from '../../../scripts/clients/case-folder.ts'
import { casesOfKinds } from '../../../scripts/clients/kinds.ts'
import { CLIENT_NAMES } from '../../../src/connections/clients/client-profile.ts'
import { listAsClient } from '../../../src/connections/clients/list-as-client.ts'
import { listFix, REASON_FIXES } from '../../../src/connections/clients/place-fix.ts'

/** Beginnings of reasons, and of their fixes. */
const FIXES: readonly (readonly [reason: string, fix: RegExp])[] = [
  ['a line in one of .gitignore, .ignore, .fdignore', /^Remove the line that leaves out \S+ from/],
  ['agents/openai.yaml has it for other products', /^Add "codex" to "products" in \S+\.yaml\.$/],
  ['invalid YAML: a field has no name', /^Correct the front matter in line \d+ of/],
  ['it has a control character', /^Remove the control character from line \d+ of/],
  ['its front matter is in ', /^Write --- alone in line 1 of/],
  ['its name has signs that the client does not show', /^Rename the folder /],
  ['permissions.deny in the settings has "Skill"', /^Remove the rule against the tool Skill/],
]

const met = new Set<string>()

test.each(CLIENT_NAMES)(
  'each reason of %s in folders of all kinds has a code, and a fix by its code',
  async (client) => {
    const wrong: string[] = []
    for (const [id, one] of casesOfKinds()) {
      const folders = makeCase(one, `reasons-${client}-${id}`)
      onTestFinished(() => removeCase(folders))
      const { cwd: folder, home } = folders
      const listing = await listAsClient({ client, folder, home, window: one.window ?? 200_000 })
      for (const skill of [...listing.skills, ...listing.unlisted]) {
        const { code, reason } = skill
        const fix = listFix(client, skill, listing, { folder, home })
        const [, wanted = /\.$/] = FIXES.find(([start]) => reason.startsWith(start)) ?? []
        const isRight = code === null ? reason === '' : reason !== '' && wanted.test(fix)
        if (!isRight) wrong.push(`${id}: ${code}: ${reason}: ${fix}`)
        if (code !== null) met.add(code)
      }
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

test('each code of a reason is one that a client had in a folder', () => {
  expect(Object.keys(REASON_FIXES).filter((code) => !met.has(code))).toEqual([])
})
