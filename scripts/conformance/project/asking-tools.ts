import { defineTool, type Tool, type ToolContext } from 'loadout'
import { plain } from './tools.ts'

const NAME = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
} as const

const OK = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } as const

const askName = (ctx: ToolContext, key: string, message = 'What is your name?') =>
  ctx.elicit({ key, message, schema: NAME })

const askModel = (ctx: ToolContext, key: string, prompt: string, maxTokens: number) =>
  ctx.sample({
    key,
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  })

function accepted(answer: Awaited<ReturnType<ToolContext['elicit']>>): Record<string, unknown> {
  return answer.action === 'accept' ? answer.content : {}
}

const confirmed = async (ctx: ToolContext) => {
  await ctx.elicit({ key: 'confirm', message: 'Please confirm', schema: OK })
  return 'state-ok: the answer was for this call'
}

const form = (name: string, message: string, properties: object) =>
  plain(name, 'Asks a form.', async (_, ctx) => {
    const answer = await ctx.elicit({
      message,
      schema: { type: 'object', properties, required: [] },
    })
    return `Elicitation completed: action=${answer.action}, content=${JSON.stringify(accepted(answer))}`
  })

/** Tools that ask the person, the model and the client. */
export const askingTools: readonly Tool[] = [
  defineTool({
    name: 'test_sampling',
    description: 'Asks the model of the client.',
    category: 'utility',
    inputSchema: {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      required: ['prompt'],
    },
    execute: async (input, ctx) => {
      const { prompt } = input as { prompt: string }
      const { content } = await askModel(ctx, 'prompt', prompt, 100)
      return `LLM response: ${content.type === 'text' ? content.text : content.type}`
    },
  }) as Tool,
  defineTool({
    name: 'test_elicitation',
    description: 'Asks the person.',
    category: 'utility',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string' } },
      required: ['message'],
    },
    execute: async (input, ctx) => {
      const { message } = input as { message: string }
      const schema = {
        type: 'object',
        properties: { response: { type: 'string', description: "User's response" } },
        required: ['response'],
      }
      const answer = await ctx.elicit({ message, schema })
      return `User response: action=${answer.action}, content=${JSON.stringify(accepted(answer))}`
    },
  }) as Tool,
  form('test_elicitation_sep1034_defaults', 'Please review the fields with defaults', {
    name: { type: 'string', description: 'User name', default: 'John Doe' },
    age: { type: 'integer', description: 'User age', default: 30 },
    score: { type: 'number', description: 'User score', default: 95.5 },
    status: {
      type: 'string',
      description: 'User status',
      enum: ['active', 'inactive', 'pending'],
      default: 'active',
    },
    verified: { type: 'boolean', description: 'Verification status', default: true },
  }),
  form('test_elicitation_sep1330_enums', 'Please select options from the fields', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: {
      type: 'string',
      oneOf: [
        { const: 'value1', title: 'First Option' },
        { const: 'value2', title: 'Second Option' },
        { const: 'value3', title: 'Third Option' },
      ],
    },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        anyOf: [
          { const: 'value1', title: 'First Choice' },
          { const: 'value2', title: 'Second Choice' },
          { const: 'value3', title: 'Third Choice' },
        ],
      },
    },
  }),
  plain('test_missing_capability', 'Needs the model of the client.', async (_, ctx) => {
    await askModel(ctx, 'llm_answer', 'Reply with the single word: pong', 16)
    return 'sampling round-trip complete'
  }),
  plain('test_input_required_result_elicitation', 'Asks for a name.', async (_, ctx) => {
    const { name } = accepted(await askName(ctx, 'user_name'))
    return `Hello, ${String(name)}!`
  }),
  plain('test_input_required_result_sampling', 'Asks the model.', async (_, ctx) => {
    const { content } = await askModel(
      ctx,
      'capital_question',
      'What is the capital of France?',
      100,
    )
    return `Sampling response: ${content.type === 'text' ? content.text : content.type}`
  }),
  plain('test_input_required_result_list_roots', 'Asks for the roots.', async (_, ctx) => {
    const roots = await ctx.roots()
    return `Client exposed ${roots.length} root(s): ${roots.map(({ uri }) => uri).join(', ')}`
  }),
  plain('test_input_required_result_request_state', 'Asks for a yes.', (_, ctx) => confirmed(ctx)),
  plain('test_input_required_result_tampered_state', 'Asks for a yes.', (_, ctx) => confirmed(ctx)),
  plain('test_input_required_result_multiple_inputs', 'Asks at once.', async (_, ctx) => {
    const [name, greeting, roots] = await Promise.all([
      askName(ctx, 'user_name'),
      askModel(ctx, 'greeting', 'Generate a greeting', 50),
      ctx.roots(),
    ])
    const { content } = greeting
    const hello = content.type === 'text' ? content.text : content.type
    return `${hello} ${String(accepted(name)['name'])}: ${roots.length} root(s) visible`
  }),
  plain('test_input_required_result_multi_round', 'Asks twice.', async (_, ctx) => {
    const { name } = accepted(await askName(ctx, 'step1', 'Step 1: What is your name?'))
    const schema = {
      type: 'object',
      properties: { color: { type: 'string' } },
      required: ['color'],
    }
    const message = 'Step 2: What is your favorite color?'
    const { color } = accepted(await ctx.elicit({ key: 'step2', message, schema }))
    return `Multi-round complete: ${String(name)} likes ${String(color)}`
  }),
  plain('test_input_required_result_capabilities', 'Asks what it can.', async (_, ctx) => {
    const answers = await Promise.allSettled([
      askName(ctx, 'user_name'),
      askModel(ctx, 'greeting', 'Generate a short greeting', 50),
      ctx.roots(),
    ])
    return `${answers.filter(({ status }) => status === 'fulfilled').length} answers`
  }),
]
