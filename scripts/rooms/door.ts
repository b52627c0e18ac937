import { findBuilding, roomOf } from './room-of.ts'

/** The entries by which connections and the workbench import the core: what we can build, an embedder can build. */
export const DOORS: ReadonlySet<string> = new Set(
  ['index', 'adapter', 'log', 'kit', 'ink-views', 'search', 'plan', 'manifest', 'definitions'].map(
    (name) => `src/entries/${name}.ts`,
  ),
)

/** The door that needs React and Ink: a command that draws nothing loads neither. */
export const SCREEN_DOOR = 'src/entries/ink-views.ts'

/** Names that a building still imports by a path into the core, for one reason. */
interface PastTheDoor {
  readonly reason: string
  /** The path below `src` and the name; `*` for a module that is imported later. */
  readonly names: readonly string[]
}

/** The exceptions, by building. The list may only shrink. */
const EXCEPTIONS: Readonly<Record<string, readonly PastTheDoor[]>> = {
  connections: [
    {
      reason:
        "Carnet's classes answer at once: its driver decides and folds by itself, on the definitions of a manifest.",
      names: [
        'catalog/create/unknown-reference.ts unknownReference',
        'catalog/manifest/lazy-map.ts LazyMap',
        'skills/find-skill.ts normaliseName',
        'skills/parse/read-definition.ts withoutBlankEdges',
        'tools/definition/parse-tool-reference.ts parseToolReference',
        'workspace/log/memory-log.ts createOwnLog',
        'workspace/offer/meta-tools/meta-tool.ts sanitisedData',
        'workspace/open/begin-session.ts newSession',
      ],
    },
    {
      reason:
        'An import of a session folds and redacts in pieces, a recording marks what it cuts, and a store writes the number of its format.',
      names: [
        'engine/evolve/evolve.ts fold',
        'engine/model/workspace-event.ts LOG_FORMAT',
        'kernel/redaction-rules.ts REDACTION_RULES',
        'kernel/redactor.ts createMarkingRedactor',
        'kernel/serial-queue.ts KeyedQueue',
      ],
    },
    {
      reason:
        'The client and the server of MCP translate forms of MCP that no other connection has.',
      names: [
        'kernel/substitute-variables.ts substituteVariables',
        'schema/interpreter/read-schema.ts readOutputSchema',
        'tools/definition/annotated-fields.ts annotatedFields',
        'tools/definition/call-client.ts ProgressUpdate',
        'tools/definition/call-client.ts SamplingMessage',
        'tools/definition/matches-tool.ts nameWithoutServer',
        'tools/definition/tool-server.ts ServerListing',
        'tools/response/mcp-result.ts mcpParts',
        'tools/response/tool-response.ts HandlerOutcome',
        'tools/response/tool-response.ts ToolFailure',
        'workspace/calls/handlers/ask-client.ts askClient',
        'workspace/calls/request/call-limits.ts DEFAULT_CALL_LIMITS',
        'workspace/commands/budget.ts Budget',
        'workspace/commands/with-time-limit.ts untilAborted',
        'workspace/open/check-workspace-options.ts checkWorkspaceOptions',
      ],
    },
    {
      reason:
        'The AI SDK makes the calls itself and asks about each, so this wire is not a form of `conversation`.',
      names: [
        'engine/model/consent-event.ts APPROVAL_SCOPES',
        'engine/standing/tool-table.ts renamedTool',
        'schema/provider-forms/provider-name.ts callName',
        'tools/definition/ai-sdk-tool.ts AiSdkTool',
        'tools/definition/tool-context.ts CallOutput',
        'tools/definition/tool-context.ts OnCallOutput',
        'tools/response/content-part.ts BinaryPart',
        'tools/response/content-part.ts isBinaryPart',
        'tools/response/error-type.ts ERROR_TRAITS',
        'tools/response/mcp-result.ts McpResult',
        'tools/response/mcp-result.ts readMcpResult',
        'tools/response/model-text.ts modelError',
        'tools/response/sdk-parts.ts sdkPart',
        'tools/response/sdk-parts.ts sdkParts',
        'tools/response/sent-media-type.ts sentMediaType',
        'tools/response/tool-response.ts RESPONSE_VERSION',
        'tools/response/tool-response.ts ToolSuccess',
        'tools/response/tool-response.ts isToolResponse',
        'workspace/calls/approve.ts approveForPerson',
        'workspace/calls/call-answers.ts argumentsOf',
        'workspace/calls/call-answers.ts shownIn',
        'workspace/calls/call-answers.ts stoppedAnswer',
        'workspace/calls/find-confirmation.ts callTarget',
        'workspace/calls/find-confirmation.ts findConfirmation',
        'workspace/calls/find-confirmation.ts ranApproved',
        'workspace/calls/handlers/internal-error.ts thrownLine',
        'workspace/conversation/group-history.ts resultsByCall',
        'workspace/conversation/model-conversation.ts CONVERSATION_OPTIONS',
        'workspace/conversation/model-conversation.ts ModelConversation',
        'workspace/offer/conversation/history-message.ts isPrefix',
        'workspace/offer/conversation/history-message.ts messageKey',
        'workspace/plan/plan-once.ts *',
      ],
    },
  ],
  workbench: [
    {
      reason:
        'A configuration and the permissions of other clients are checked by the schemas and patterns of the engine.',
      names: [
        'engine/model/modes.ts modeLimitsSchema',
        'engine/model/policy.ts firstImpossible',
        'engine/model/policy.ts permissionsSchema',
        'engine/standing/allowed-tool.ts readAllowedTool',
        'workspace/offer/discovery/discovery-options.ts settleDiscovery',
      ],
    },
    {
      reason:
        'A command that opens a session decides which consent counts, before there is a workspace.',
      names: [
        'engine/evolve/evolve-consent.ts eventWithoutConsent',
        'engine/evolve/evolve.ts *',
        'engine/explain/describe-event.ts *',
        'engine/explain/explain-skill.ts *',
        'engine/explain/lifted-rules.ts *',
        'engine/model/policy.ts *',
        'workspace/offer/discovery/session-index.ts catalogToolAt',
        'workspace/open/session-policy.ts *',
      ],
    },
    {
      reason: 'The process that reads trusted folders says which of their handlers may run.',
      names: [
        'tools/definition/guard-handler.ts guardHandler',
        'tools/definition/guard-handler.ts noteWithheld',
      ],
    },
    {
      reason: 'The chat and the screen answer questions and refusals as a workspace does.',
      names: [
        'workspace/calls/approve.ts approveForPerson',
        'workspace/calls/call-answers.ts CallAnswers',
        'workspace/calls/find-confirmation.ts findConfirmation',
        'workspace/commands/budget.ts Budget',
        'workspace/commands/outcome.ts notifyListener',
        'workspace/commands/outcome.ts refusedOutcome',
      ],
    },
    {
      reason: 'A form and a search of files use the schemas and patterns of tools.',
      names: [
        'engine/standing/matches-path.ts globMatcher',
        'schema/interpreter/compile-pattern.ts compilePattern',
        'schema/interpreter/compile-schema.ts compileSchema',
        'schema/interpreter/subschemas.ts pointerToken',
        'schema/interpreter/value-issues.ts valueIssues',
      ],
    },
    {
      reason: 'Needs one name of the core, which is no word of a kit.',
      names: ['kernel/content-hash.ts constantTimeEqual', 'workspace/open/o200k-vocabulary.ts *'],
    },
  ],
}

/** The names that each building imports by a path into the core. */
export const PAST_THE_DOOR: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(EXCEPTIONS).map(([building, groups]) => [
    building,
    new Set(groups.flatMap(({ names }) => names)),
  ]),
)

/** Returns true when a file may import a name from another by its path. */
export function mayPassDoor(from: string, target: string, name: string): boolean {
  const past = PAST_THE_DOOR.get(findBuilding(roomOf(from)) ?? '')
  if (past === undefined || findBuilding(roomOf(target)) !== 'core') return true
  return past.has(`${target.slice('src/'.length)} ${name}`)
}
