import { findBuilding, roomOf } from './room-of.ts'

/** The entries by which connections and the workbench import the core: what we can build, an embedder can build. */
export const DOORS: ReadonlySet<string> = new Set(
  ['index', 'adapter', 'kit', 'ink-views', 'search', 'plan', 'manifest'].map(
    (name) => `src/entries/${name}.ts`,
  ),
)

/**
 * Names that are still imported by a path into the core, by building, as the path below `src` and the name, each with its reason.
 * The list may only shrink.
 */
export const PAST_THE_DOOR: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  connections: {
    'catalog/create/unknown-reference.ts unknownReference': 'Has no door yet.',
    'catalog/manifest/lazy-map.ts LazyMap': 'Has no door yet.',
    'engine/evolve/evolve.ts fold': 'Has no door yet.',
    'engine/model/consent-event.ts APPROVAL_SCOPES': 'Has no door yet.',
    'engine/model/workspace-event.ts EventOf': 'Has no door yet.',
    'engine/model/workspace-event.ts LOG_FORMAT': 'Has no door yet.',
    'engine/standing/tool-table.ts renamedTool': 'Has no door yet.',
    'kernel/redaction-rules.ts REDACTION_RULES': 'Has no door yet.',
    'kernel/serial-queue.ts KeyedQueue': 'Has no door yet.',
    'kernel/substitute-variables.ts substituteVariables': 'Has no door yet.',
    'schema/interpreter/read-schema.ts readOutputSchema': 'Has no door yet.',
    'schema/provider-forms/provider-name.ts callName': 'Has no door yet.',
    'skills/find-skill.ts normaliseName': 'Has no door yet.',
    'skills/parse/read-definition.ts withoutBlankEdges': 'Has no door yet.',
    'tools/definition/ai-sdk-tool.ts AiSdkTool': 'Has no door yet.',
    'tools/definition/annotated-fields.ts annotatedFields': 'Has no door yet.',
    'tools/definition/call-client.ts ProgressUpdate': 'Has no door yet.',
    'tools/definition/call-client.ts SamplingMessage': 'Has no door yet.',
    'tools/definition/matches-tool.ts nameWithoutServer': 'Has no door yet.',
    'tools/definition/parse-tool-reference.ts parseToolReference': 'Has no door yet.',
    'tools/definition/tool-context.ts CallOutput': 'Has no door yet.',
    'tools/definition/tool-context.ts OnCallOutput': 'Has no door yet.',
    'tools/definition/tool-server.ts ServerListing': 'Has no door yet.',
    'tools/definition/tool-server.ts ToolServer': 'Has no door yet.',
    'tools/response/content-part.ts BinaryPart': 'Has no door yet.',
    'tools/response/content-part.ts isBinaryPart': 'Has no door yet.',
    'tools/response/error-type.ts ERROR_TRAITS': 'Has no door yet.',
    'tools/response/mcp-result.ts McpResult': 'Has no door yet.',
    'tools/response/mcp-result.ts mcpParts': 'Has no door yet.',
    'tools/response/mcp-result.ts readMcpResult': 'Has no door yet.',
    'tools/response/model-text.ts LOST_RESULT': 'Has no door yet.',
    'tools/response/model-text.ts modelError': 'Has no door yet.',
    'tools/response/sdk-parts.ts sdkPart': 'Has no door yet.',
    'tools/response/sdk-parts.ts sdkParts': 'Has no door yet.',
    'tools/response/sent-media-type.ts sentMediaType': 'Has no door yet.',
    'tools/response/tool-response.ts HandlerOutcome': 'Has no door yet.',
    'tools/response/tool-response.ts RESPONSE_VERSION': 'Has no door yet.',
    'tools/response/tool-response.ts ToolFailure': 'Has no door yet.',
    'tools/response/tool-response.ts ToolSuccess': 'Has no door yet.',
    'tools/response/tool-response.ts isToolResponse': 'Has no door yet.',
    'workspace/calls/approve.ts approveForPerson': 'Has no door yet.',
    'workspace/calls/call-answers.ts argumentsOf': 'Has no door yet.',
    'workspace/calls/call-answers.ts shownIn': 'Has no door yet.',
    'workspace/calls/call-answers.ts stoppedAnswer': 'Has no door yet.',
    'workspace/calls/find-confirmation.ts callTarget': 'Has no door yet.',
    'workspace/calls/find-confirmation.ts findConfirmation': 'Has no door yet.',
    'workspace/calls/find-confirmation.ts ranApproved': 'Has no door yet.',
    'workspace/calls/handlers/ask-client.ts askClient': 'Has no door yet.',
    'workspace/calls/handlers/internal-error.ts thrownLine': 'Has no door yet.',
    'workspace/calls/request/call-limits.ts DEFAULT_CALL_LIMITS': 'Has no door yet.',
    'workspace/commands/with-time-limit.ts untilAborted': 'Has no door yet.',
    'workspace/conversation/group-history.ts resultsByCall': 'Has no door yet.',
    'workspace/conversation/model-conversation.ts CONVERSATION_OPTIONS': 'Has no door yet.',
    'workspace/conversation/model-conversation.ts ModelConversation': 'Has no door yet.',
    'workspace/immediate-workspace.ts ImmediateWorkspace': 'Has no door yet.',
    'workspace/log/memory-log.ts createOwnLog': 'Has no door yet.',
    'workspace/offer/conversation/history-message.ts isPrefix': 'Has no door yet.',
    'workspace/offer/conversation/history-message.ts messageKey': 'Has no door yet.',
    'workspace/offer/meta-tools/meta-tool.ts sanitisedData': 'Has no door yet.',
    'workspace/open/check-workspace-options.ts checkWorkspaceOptions': 'Has no door yet.',
    'workspace/plan/plan-once.ts *': 'Has no door yet.',
  },
  workbench: {
    'engine/evolve/evolve-consent.ts eventWithoutConsent': 'Has no door yet.',
    'engine/evolve/evolve.ts *': 'Has no door yet.',
    'engine/explain/describe-event.ts *': 'Has no door yet.',
    'engine/explain/explain-skill.ts allowedToolsReason': 'Has no door yet.',
    'engine/explain/lifted-rules.ts *': 'Has no door yet.',
    'engine/model/modes.ts modeLimitsSchema': 'Has no door yet.',
    'engine/model/policy.ts *': 'Has no door yet.',
    'engine/model/policy.ts firstImpossible': 'Has no door yet.',
    'engine/model/policy.ts permissionsSchema': 'Has no door yet.',
    'engine/standing/allowed-tool.ts readAllowedTool': 'Has no door yet.',
    'engine/standing/matches-path.ts matchesPath': 'Has no door yet.',
    'kernel/content-hash.ts constantTimeEqual': 'Has no door yet.',
    'schema/interpreter/compile-pattern.ts compilePattern': 'Has no door yet.',
    'schema/interpreter/compile-schema.ts compileSchema': 'Has no door yet.',
    'schema/interpreter/subschemas.ts pointerToken': 'Has no door yet.',
    'schema/interpreter/value-issues.ts valueIssues': 'Has no door yet.',
    'tools/definition/tool-server.ts ServerListing': 'Has no door yet.',
    'tools/definition/tool-server.ts ToolServer': 'Has no door yet.',
    'workspace/calls/approve.ts approveForPerson': 'Has no door yet.',
    'workspace/calls/call-answers.ts CallAnswers': 'Has no door yet.',
    'workspace/calls/find-confirmation.ts findConfirmation': 'Has no door yet.',
    'workspace/commands/outcome.ts notifyListener': 'Has no door yet.',
    'workspace/commands/outcome.ts refusedOutcome': 'Has no door yet.',
    'workspace/offer/discovery/discovery-options.ts settleDiscovery': 'Has no door yet.',
    'workspace/offer/discovery/session-index.ts catalogToolAt': 'Has no door yet.',
    'workspace/open/o200k-vocabulary.ts *': 'Has no door yet.',
    'workspace/open/session-policy.ts *': 'Has no door yet.',
  },
}

/** Returns true when a file may import a name from another by its path. */
export function mayPassDoor(from: string, target: string, name: string): boolean {
  const building = findBuilding(roomOf(from))
  if (building === 'core' || building === undefined) return true
  if (findBuilding(roomOf(target)) !== 'core') return true
  return PAST_THE_DOOR[building]?.[`${target.slice('src/'.length)} ${name}`] !== undefined
}
