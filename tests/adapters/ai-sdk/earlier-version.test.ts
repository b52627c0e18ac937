import { expect, test } from 'vitest'
import { PROJECT, runCommand } from '../../../scripts/run-command.ts'

/** The names of version 6 that the adapter also uses; version 7 has more. */
const EARLIER = `
  export const asSchema = (one) => one
  export const jsonSchema = () => ({})
  export const dynamicTool = (one) => one
  export class InvalidPromptError extends Error {}
  export class ToolLoopAgent {}`

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
    "file:///work/wt/h-price/src/adapters/ai-sdk/task-tool.ts:5
      ToolLoopAgent,
      ^^^^^^^^^^^^^
    SyntaxError: The requested module 'ai' does not provide an export named 'ToolLoopAgent'
        at #asyncInstantiate (node:internal/modules/esm/module_job:455:21)
        at async ModuleJob.run (node:internal/modules/esm/module_job:553:5)
        at async node:internal/modules/esm/loader:647:26
        at async file:///work/wt/h-price/[eval1]:2:26

    Node.js v24.21.0
    "
  `)
})
