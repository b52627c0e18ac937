import {
  ANTHROPIC_WIRES,
  isObject,
  type JsonObject,
  objectsOf,
  OPENAI_WIRES,
  repeated,
  textOf,
  WIRES,
} from '../wire.ts'
import { messagesOf } from './calls-of.ts'
import type { RequestRule } from './request-rule.ts'
import { addedTools, type DeclaredTool, itemsOf, toolChanges, toolsOf } from './tools-of.ts'

const COMBINATORS = ['oneOf', 'anyOf', 'allOf']

const STRICT_GUIDE = 'developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas"'

const TOOL_SEARCH_GUIDE =
  'platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool, "Deferred tool loading"'

/** Rules for the tools of a request. */
export const TOOL_RULES: readonly RequestRule[] = [
  {
    name: 'tool-name',
    wires: WIRES,
    source:
      'openai 7.57.0, resources/shared.d.ts:229; platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools: ' +
      '"Must match the regex ^[a-zA-Z0-9_-]{1,64}$"',
    faults: (request) => {
      const tools = [...toolsOf(request), ...addedTools(request)]
      // Tools that the provider runs may have no name.
      const names = tools.flatMap(({ name, namespace }) => [name, namespace])
      return [...new Set(names)]
        .filter((name) => name !== '' && !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
        .map((name) => `${JSON.stringify(name)} is no name for a tool.`)
    },
  },
  {
    name: 'tool-names-once',
    wires: WIRES,
    source:
      'Anthropic answers 400 "tools: Tool names must be unique." (danny-avila/LibreChat #13162); with OpenAI a call ' +
      'of such a name has two meanings',
    faults: (request) =>
      repeated(namesOf(toolsOf(request))).map((name) => `Two tools are named ${name}.`),
  },
  {
    name: 'added-tools-are-new',
    wires: ['openai-responses'],
    source:
      'openai 7.57.0, responses.d.ts:3893: "additional tools made available at this item"; a name of `tools` or of an ' +
      'earlier item is not additional',
    faults: (request) => {
      const visible = toolsOf(request).filter(({ deferred }) => !deferred)
      return repeated(namesOf([...visible, ...addedTools(request)])).map(
        (name) => `${name} is added although it is there.`,
      )
    },
  },
  {
    name: 'parameters-are-an-object',
    wires: OPENAI_WIRES,
    source: 'OpenAI answers 400 "schema must be a JSON Schema of \'type: \\"object\\"\'"',
    faults: (request) =>
      [...toolsOf(request), ...addedTools(request)]
        .filter(({ parameters, tool }) => takesArguments(tool) && !isObjectSchema(parameters))
        .map(({ at }) => `${at}: the parameters have not the type object.`),
  },
  {
    name: 'plain-top',
    wires: WIRES,
    source:
      "OpenAI answers 400 \"schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top " +
      'level"; Anthropic 400 "input_schema does not support oneOf, allOf, or anyOf at the top level"',
    faults: (request) =>
      [...toolsOf(request), ...addedTools(request)].flatMap(({ at, parameters }) =>
        (request.wire.startsWith('openai') ? [...COMBINATORS, 'enum', 'not'] : COMBINATORS)
          .filter((keyword) => isObject(parameters) && keyword in parameters)
          .map((keyword) => `${at}: ${keyword} is at the top of the parameters.`),
      ),
  },
  {
    name: 'strict-schema',
    wires: OPENAI_WIRES,
    source: STRICT_GUIDE,
    faults: (request) =>
      [...toolsOf(request), ...addedTools(request)]
        .filter(({ strict }) => strict)
        .flatMap(({ at, parameters }) =>
          strictFaults(parameters).map((fault) => `${at}: ${fault}`),
        ),
  },
  {
    name: 'strict-schema',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations" and "Schema ' +
      'complexity limits": `additionalProperties` must be false, at most 20 strict tools',
    faults: (request) => {
      const strict = [...toolsOf(request), ...addedTools(request)].filter(({ strict }) => strict)
      return [
        ...(strict.length > 20 ? [`${strict.length} tools are strict.`] : []),
        ...strict.flatMap(({ at, parameters }) =>
          schemasIn(parameters)
            .filter(
              (schema) => isObject(schema.properties) && schema.additionalProperties !== false,
            )
            .map(() => `${at}: an object of a strict schema is open.`),
        ),
      ]
    },
  },
  {
    name: 'number-of-tools',
    wires: ['openai-chat'],
    source:
      'OpenAI answers 400 "Invalid \'tools\': array too long. Expected an array with maximum length 128"',
    faults: (request) => {
      const { length } = toolsOf(request)
      return length > 128 ? [`There are ${length} tools.`] : []
    },
  },
  {
    name: 'chosen-tool-is-there',
    wires: WIRES,
    source:
      "OpenAI answers 400 \"Tool choice '…' not found in 'tools' parameter\"; Anthropic 400 \"Tool '…' not found in " +
      'provided tools"',
    faults: (request) => {
      const tools = [...toolsOf(request), ...addedTools(request)]
      const names = new Set(tools.map(({ name }) => name))
      return chosenNames(request.body.tool_choice)
        .filter((name) => !names.has(name))
        .map((name) => `tool_choice names ${name}, which is no tool of the request.`)
    },
  },
  {
    name: 'deferred-tools-need-a-search',
    wires: ['openai-responses'],
    source:
      '@ai-sdk/openai 4.0.118, tool search: "To use tool search, mark functions or namespaces with `defer_loading: true`" ' +
      'next to the tool `tool_search`; developers.openai.com/api/docs/guides/tools-tool-search',
    faults: (request) => {
      const deferred = toolsOf(request).filter((tool) => tool.deferred)
      const finds = objectsOf(request.body.tools).some(({ type }) => type === 'tool_search')
      const added = new Set(addedTools(request).map(fullName))
      return finds
        ? []
        : deferred
            .filter((tool) => !added.has(fullName(tool)))
            .map(({ at }) => `${at} is deferred, and there is no tool_search to find it.`)
    },
  },
  {
    name: 'not-all-deferred',
    wires: ANTHROPIC_WIRES,
    source: `${TOOL_SEARCH_GUIDE}: "All tools have defer_loading set. At least one tool must be non-deferred."`,
    faults: (request) => {
      const tools = toolsOf(request)
      return tools.length > 0 && tools.every(({ deferred }) => deferred)
        ? ['All tools are deferred.']
        : []
    },
  },
  {
    name: 'deferred-tool-has-no-cache-mark',
    wires: ANTHROPIC_WIRES,
    source:
      'platform.claude.com/docs/en/agents-and-tools/tool-use/tool-use-with-prompt-caching: deferred tools are not in the ' +
      'prefix; a tool with both answers 400',
    faults: (request) =>
      toolsOf(request)
        .filter(({ deferred, tool }) => deferred && isObject(tool.cache_control))
        .map(({ at }) => `${at} is deferred and has a cache breakpoint.`),
  },
  {
    name: 'references-are-known',
    wires: ANTHROPIC_WIRES,
    source:
      `${TOOL_SEARCH_GUIDE}: "Tool reference '…' not found in available tools"; ` +
      '@anthropic-ai/sdk 1.12.0, messages.d.ts: ToolReferenceUnresolvedErrorDetails',
    faults: (request) => {
      const declared = new Set(toolsOf(request).map(({ name }) => name))
      const unknown = messagesOf(request).flatMap(({ content }) =>
        objectsOf(content)
          .filter(({ type }) => type === 'tool_result')
          .flatMap((block) => objectsOf(block.content))
          .filter(
            ({ type, tool_name }) => type === 'tool_reference' && !declared.has(String(tool_name)),
          )
          .map(
            ({ tool_name }) =>
              `A result refers to ${String(tool_name)}, which is no tool of the request.`,
          ),
      )
      const known = new Set(declared)
      const unresolved = toolChanges(request).flatMap(({ at, type, tool }) => {
        const definition = isObject(tool.definition) ? tool.definition : undefined
        if (definition !== undefined) known.add(textOf(definition, 'name'))
        const isOpen = tool.type === 'tool_reference' && !known.has(textOf(tool, 'name'))
        return isOpen
          ? [`${at}: ${type} refers to ${textOf(tool, 'name')}, which is not there.`]
          : []
      })
      return [...unknown, ...unresolved]
    },
  },
  {
    name: 'namespaces-are-not-empty',
    wires: ['openai-responses'],
    source:
      'openai 7.57.0, responses.d.ts:727: a namespace "groups" tools; it and each of its tools has a description to be found by',
    faults: (request) =>
      [
        ...objectsOf(request.body.tools),
        ...itemsOf(request).flatMap(({ tools }) => objectsOf(tools)),
      ]
        .filter(({ type, tools }) => type === 'namespace' && objectsOf(tools).length === 0)
        .map(({ name }) => `The namespace ${String(name)} is empty.`),
  },
]

const fullName = ({ namespace, name }: { namespace: string; name: string }) =>
  namespace === '' ? name : `${namespace}.${name}`

/** The full names of tools; those that the provider runs may have none. */
function namesOf(tools: readonly DeclaredTool[]): readonly string[] {
  return tools.map(fullName).filter((name) => name !== '')
}

function takesArguments(tool: JsonObject): boolean {
  const inner = isObject(tool.function) ? tool.function : tool
  return tool.type === 'function' && isObject(inner.parameters)
}

function isObjectSchema(schema: unknown): boolean {
  return isObject(schema) && (schema.type === 'object' || Object.keys(schema).length === 0)
}

function chosenNames(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  if (choice.type === 'allowed_tools') {
    const inner = isObject(choice.allowed_tools) ? choice.allowed_tools : choice
    return objectsOf(inner.tools).flatMap(chosenNames)
  }
  const named = [choice, choice.function, choice.custom].filter(isObject)
  return named.map((object) => textOf(object, 'name')).filter((name) => name !== '')
}

/** A schema and all schemas in it. */
function schemasIn(schema: unknown): readonly JsonObject[] {
  if (!isObject(schema)) return []
  const maps = [schema.properties, schema.$defs, schema.definitions].filter(isObject)
  const lists = [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems]
  const inner = [...maps.flatMap((map) => Object.values(map)), ...lists.flat(), schema.items]
  return [schema, ...inner.flatMap(schemasIn)]
}

function strictFaults(parameters: unknown): readonly string[] {
  if (!isObject(parameters)) return ['a strict tool has no schema']
  const all = schemasIn(parameters)
  const properties = all.flatMap(({ properties: map }) => (isObject(map) ? Object.keys(map) : []))
  const enums = all.flatMap(({ enum: values }) => (Array.isArray(values) ? values : []))
  const depth = depthOf(parameters)
  return [
    ...('anyOf' in parameters ? ['a strict schema is an anyOf at its root'] : []),
    ...all.flatMap(objectFaults),
    ...(properties.length > 5000 ? [`a strict schema has ${properties.length} properties`] : []),
    ...(enums.length > 1000 ? [`a strict schema has ${enums.length} enum values`] : []),
    ...(depth > 10 ? [`a strict schema is ${depth} objects deep`] : []),
    ...([...properties, ...enums].join('').length > 120_000
      ? ['a strict schema has too long names']
      : []),
  ]
}

const REFUSED_KEYWORDS = [
  'allOf',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
]

function objectFaults(schema: JsonObject): readonly string[] {
  const refused = REFUSED_KEYWORDS.filter((keyword) => keyword in schema)
  const isObjectType = [schema.type].flat().includes('object')
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  return [
    ...refused.map((keyword) => `a strict schema has ${keyword}`),
    ...(isObjectType && schema.additionalProperties !== false
      ? ['an object of a strict schema is open']
      : []),
    ...names
      .filter((name) => !required.includes(name))
      .map((name) => `${name} of a strict schema is not required`),
  ]
}

function depthOf(schema: unknown): number {
  if (!isObject(schema)) return 0
  const inner = [
    ...(isObject(schema.properties) ? Object.values(schema.properties) : []),
    ...[schema.anyOf].flat(),
    schema.items,
  ]
  const own = isObject(schema.properties) ? 1 : 0
  return own + Math.max(0, ...inner.map(depthOf))
}
