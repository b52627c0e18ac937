import { expect, test } from 'vitest'
import { PROJECT, runCommand } from '../../../../scripts/run-command.ts'

/** The names of version 5 that the adapter also uses; version 7 has more. */
const EARLIER = `
  export const asSchema = (one) => one
  export const jsonSchema = () => ({})
  export const dynamicTool = (one) => one
  export const wrapLanguageModel = ({ model }) => model
  export class InvalidPromptError extends Error {}`

test('an earlier version of the SDK loads, and is refused with what to install', () => {
  const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
  const hook = `
    import { registerHooks } from 'node:module'
    const url = ${JSON.stringify(url(EARLIER))}
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'ai' ? { url, shortCircuit: true } : next(specifier, context),
    })`
  const code = `
    const { forAiSdk } = await import('./src/entries/ai-sdk.ts')
    try { forAiSdk({ open() {} }) } catch ({ code, message, hint }) { console.log([code, message, hint].join('\\n')) }`
  const args = ['--import', url(hook), '--input-type=module', '--eval', code]
  const { output } = runCommand(process.execPath, args, { cwd: PROJECT })
  expect(output).toMatchInlineSnapshot(`
    "SDK_UNSUPPORTED
    forAiSdk needs version 7 of the package "ai", and version 5 or older is installed.
    Run "npm install ai@7", with the packages of your providers. What to change is in https://ai-sdk.dev/docs/migration-guides.
    "
  `)
})
