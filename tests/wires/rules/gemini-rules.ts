import { isObject, type JsonObject, objectsOf, repeated, textOf } from '../wire.ts'
import type { RequestRule } from './request-rule.ts'

const CALLING = 'ai.google.dev/gemini-api/docs/function-calling'

const TYPES = '@google/genai 3.3.0, genai.d.ts'

/** Rules of the Gemini API that types cannot say. */
export const GEMINI_RULES: readonly RequestRule[] = [
  {
    name: 'gemini-names',
    wires: ['gemini'],
    source: `${TYPES}, \`FunctionDeclaration.name\`: a letter or an underscore first, at most 128 characters`,
    faults: ({ body }) => {
      const names = declarationsOf(body).map((one) => textOf(one, 'name'))
      return [
        ...names.filter((name) => !/^[a-z_][\w.:-]{0,127}$/iu.test(name)),
        ...repeated(names),
      ].map((name) => `"${name}" is no name, or that of two functions.`)
    },
  },
  {
    name: 'gemini-declarations-at-most-512',
    wires: ['gemini'],
    source: `${TYPES}, \`Tool.functionDeclarations\`: "Maximum 512 function declarations can be provided."`,
    faults: ({ body }) =>
      declarationsOf(body).length > 512 ? ['There are too many functions.'] : [],
  },
  {
    name: 'gemini-references-alone',
    wires: ['gemini'],
    source: `${TYPES}, \`responseJsonSchema\`: next to "$ref" only members that begin with "$"; only "$defs" has names`,
    faults: ({ body }) =>
      declarationsOf(body).flatMap(({ name, parametersJsonSchema: schema }) =>
        wrongReferences(schema).map((reference) => `${String(name)}: ${reference}`),
      ),
  },
  {
    name: 'gemini-parameters-are-an-object',
    wires: ['gemini'],
    source: `${TYPES}, \`parametersJsonSchema\`: "The schema must describe an object where the properties are the parameters"`,
    faults: ({ body }) =>
      declarationsOf(body)
        .filter(({ parametersJsonSchema: schema }) => isObject(schema) && schema.type !== 'object')
        .map(({ name }) => `The parameters of ${String(name)} are no object.`),
  },
  {
    name: 'gemini-results-follow-their-calls',
    wires: ['gemini'],
    source: `the API answers 400 "the number of function response parts is equal to the number of function call parts"; ${CALLING}`,
    faults: ({ body }) => {
      const all = objectsOf(body.contents)
      return all.flatMap((content, index) => {
        const calls = membersOf(content, 'functionCall')
        const results = membersOf(content, 'functionResponse')
        const next = membersOf(all[index + 1], 'functionResponse')
        const before = membersOf(all[index - 1], 'functionCall')
        const key = ({ id, name }: JsonObject) => `${String(id)} ${String(name)}`
        const isAnswered = calls.map(key).join() === next.map(key).join()
        return [
          ...(calls.length > 0 && !isAnswered ? [`contents/${index}: other results follow.`] : []),
          ...(results.length > 0 && before.length === 0 ? [`contents/${index}: no call.`] : []),
        ]
      })
    },
  },
  {
    name: 'gemini-results-alone',
    wires: ['gemini'],
    source:
      'google-gemini/gemini-cli#16137: other parts next to the results of parallel calls are answered by 400',
    faults: ({ body }) =>
      objectsOf(body.contents).flatMap(({ parts }, index) => {
        const all = objectsOf(parts)
        const results = all.filter((part) => part.functionResponse !== undefined)
        return results.length > 0 && results.length < all.length
          ? [`contents/${index} has other parts next to results.`]
          : []
      }),
  },
  {
    name: 'gemini-signature-of-the-first-call',
    wires: ['gemini'],
    source:
      'ai.google.dev/gemini-api/docs/thought-signatures: Gemini 3 answers 400 when the first call of an answer lacks its signature',
    faults: ({ body }) =>
      objectsOf(body.contents).flatMap(({ parts }, index) => {
        const first = objectsOf(parts).find((part) => part.functionCall !== undefined)
        return first && textOf(first, 'thoughtSignature') === ''
          ? [`contents/${index}: the signature of its first call is missing.`]
          : []
      }),
  },
  {
    name: 'gemini-parts-have-content',
    wires: ['gemini'],
    source:
      'the API answers 400 "required oneof field \'data\' must have one initialized field" to a part without data',
    faults: ({ body }) =>
      objectsOf(body.contents).flatMap(({ parts }, index) =>
        objectsOf(parts).some(
          ({ text, functionCall, functionResponse, inlineData, thoughtSignature }) =>
            (text ?? '') === '' &&
            (functionCall ?? functionResponse ?? inlineData ?? thoughtSignature) === undefined,
        )
          ? [`contents/${index} has an empty part.`]
          : [],
      ),
  },
  {
    name: 'gemini-ids-are-those-of-the-provider',
    wires: ['gemini'],
    source:
      'google/adk-python, functions.py, `remove_client_function_call_id`: ids that the client made are not sent to the model',
    faults: ({ body }) =>
      objectsOf(body.contents).flatMap((content) =>
        [...membersOf(content, 'functionCall'), ...membersOf(content, 'functionResponse')]
          .map(({ id }) => id)
          .filter((id) => id !== undefined && /^(?:call_[\da-f]{24}$|#\d)/u.test(String(id)))
          .map((id) => `The provider gave no id ${String(id)}.`),
      ),
  },
]

function declarationsOf({ tools }: JsonObject): readonly JsonObject[] {
  return objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations))
}

function membersOf(content: JsonObject | undefined, name: string): readonly JsonObject[] {
  return objectsOf(content?.parts)
    .map((part) => part[name])
    .filter(isObject)
}

/** Keywords whose value is data. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])

/** References next to other keywords, and those to other places than `$defs`. */
function wrongReferences(schema: unknown, isNamed = false): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => wrongReferences(one))
  if (!isObject(schema)) return []
  const { $ref } = schema
  const isWrong =
    !isNamed &&
    typeof $ref === 'string' &&
    (Object.keys(schema).some((keyword) => !keyword.startsWith('$')) ||
      $ref.startsWith('#/definitions/'))
  return [
    ...(isWrong ? [`${String($ref)} is not alone.`] : []),
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      !isNamed && DATA.has(keyword)
        ? []
        : wrongReferences(
            value,
            !isNamed &&
              /^(?:properties|patternProperties|\$defs|definitions|dependentSchemas)$/u.test(
                keyword,
              ),
          ),
    ),
  ]
}
