import type { Agent, ToolSet, UIMessage } from 'ai'
import type { MockLanguageModelV4 } from 'ai/test'
import type { Said } from '../../tests/connections/wires/ai-sdk/scripted-model.ts'

/** An agent of others that is moved onto a workspace, in a repository whose licence permits to quote it. */
export interface PortedAgent {
  readonly name: string
  /** The address to clone. */
  readonly repository: string
  readonly commit: string
  readonly licence: string
  /** The folder of its package. */
  readonly folder: string
  readonly tools: number
  /** A patch that moves it to version 7 of the AI SDK first. Its lines do not count. */
  readonly upgrade?: string
  /** Prepares a fresh clone: programs with their arguments, run in `folder`. */
  readonly install: readonly (readonly [string, ...string[]])[]
  /** Adds a package, whose file is the last argument; with npm by default. */
  readonly add?: readonly [string, ...string[]]
  /** Its own tests. */
  readonly tests: readonly [string, ...string[]]
  /** The numbers of tests that passed, in the output of its tests. */
  readonly passed: RegExp
  /** Its file that exports the agent, in `folder`. */
  readonly entry: string
  /** Modules that are replaced by files next to this one, such as a service on the network. */
  readonly replaced?: Readonly<Record<string, string>>
  /** The patch next to this file that moves it. */
  readonly patch: string
  /** The answers of the model in the scenario, in order. Those of `onlyMoved` are for the moved agent alone. */
  readonly said: readonly (Said | { readonly onlyMoved: Said })[]
  /** The messages of the user. A question for approval is answered with yes before the next one. */
  readonly messages: readonly string[]
  /** The answers of the UI to calls of tools without `execute`, by the id of the call. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** The options of each call of the agent. */
  readonly options?: unknown
  /** The differences that the page lists, as ids of calls with the member of their part. */
  readonly listed: readonly string[]
  /** Makes the agent from what its entry exports. */
  create(
    exports: Readonly<Record<string, unknown>>,
    model: MockLanguageModelV4,
  ): Agent<never, ToolSet>
  /** Answers the requests that its tools make. */
  readonly fetch?: (url: URL) => Response
}

/** The results and parts that the model and a UI got in one run of the scenario. */
export interface Played {
  /** The results in the last request, by the id of their call. */
  readonly results: Readonly<Record<string, unknown>>
  readonly parts: readonly UIMessage['parts'][number][]
  /** Characters of all requests. */
  readonly characters: number
  readonly requests: number
}
