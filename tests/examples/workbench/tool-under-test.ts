import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { ToolError, type ToolContext } from 'loadout'

const SKILLS = new URL('../../../examples/workbench/skills/', import.meta.url)

/** What a test sets of a handler's context; the rest is as in a plain session. */
export interface Surroundings {
  readonly services?: unknown
  readonly session?: string
  readonly signal?: AbortSignal
}

/** Calls the handler. What it returns was held against the schema the tool declares for it. */
// oxlint-disable-next-line typescript/no-explicit-any -- held to the output schema at run time
export type TestedTool = (input: object, surroundings?: Surroundings) => Promise<any>

/**
 * A tool of the workbench as a caller meets it: the handler itself, between the two schemas that
 * its folder declares. Input or output that does not fit is a failure of the test.
 */
export async function toolUnderTest(skill: string, name: string): Promise<TestedTool> {
  const folder = new URL(`${skill}/tools/${name}/`, SKILLS)
  const schema = JSON.parse(await readFile(new URL('schema.json', folder), 'utf8'))
  const { execute } = await import(new URL('handler.ts', folder).href)
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  const fitsInput = ajv.compile(schema.parameters)
  const fitsOutput = ajv.compile(schema.output)
  return async (input, surroundings = {}) => {
    if (!fitsInput(input)) throw new Error(`input: ${ajv.errorsText(fitsInput.errors)}`)
    const output = await execute(input, contextOf(skill, name, surroundings))
    if (!fitsOutput(output)) throw new Error(`output: ${ajv.errorsText(fitsOutput.errors)}`)
    return output
  }
}

function contextOf(skill: string, tool: string, surroundings: Surroundings): ToolContext {
  const { services, session = randomUUID(), signal = new AbortController().signal } = surroundings
  return {
    services,
    principal: undefined,
    signal,
    call: { id: randomUUID(), tool, owner: skill, session, caller: 'host' },
    state: undefined,
    update: () => Promise.reject(new Error('These tools belong to no component.')),
    progress: () => {},
    log: () => undefined,
    elicit: () => Promise.reject(new Error('nobody is asked')),
    sample: () => Promise.reject(new Error('nobody is asked')),
    roots: () => Promise.reject(new Error('nobody is asked')),
    callTool: () => Promise.reject(new Error('no other tool')),
    activeSkills: () => [],
    callableTools: () => [],
  }
}

/** The error a call fails with, as `TYPE: message`; a call that does not fail is told as such. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    return `no failure: ${JSON.stringify(await call).slice(0, 200)}`
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return `${error.type}: ${error.message}`
  }
}
