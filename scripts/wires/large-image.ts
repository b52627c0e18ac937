import { createCatalog, createMemoryLog, defineTool, succeed, VirtualWorkspace } from 'loadout'
import type { WireDriver } from '../../tests/connections/wires/wire-sessions/wire-driver.ts'
import { WIRE_DRIVERS } from '../../tests/connections/wires/wire-sessions/wire-drivers.ts'
import { openWireServer } from '../../tests/wires/server/open-wire-server.ts'
import { isObject } from '../../tests/wires/wire.ts'
import type { WirePart } from './wire-part.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(4_999_992, 0xa7)])

/** Returns an image of 5 MB from a tool through every adapter. */
export const largeImage: WirePart = {
  name: 'image',
  claim:
    'A PNG of 5 MB in the result of a tool is sent in the form of the provider, or described in a sentence; no text has base64 in it, and the log stores its digest and size.',
  columns: ['adapter', 'sent as', 'bytes of base64 in texts', 'bytes that the log grows by'],
  async run() {
    const failures: string[] = []
    const rows: (string | number)[][] = []
    const bodies = { checked: 0, refused: 0 }
    for (const driver of WIRE_DRIVERS) {
      const image = await converse(driver, true)
      const none = await converse(driver, false)
      const grows = image.logged - none.logged
      bodies.checked += image.requests + none.requests
      bodies.refused += image.refused + none.refused
      const violations = [...image.violations, ...none.violations]
      failures.push(...violations.map(({ message }) => `${driver.name}: ${message}`))
      if (image.inTexts > 0 || grows > 1000) failures.push(`${driver.name}: ${grows} bytes`)
      rows.push([driver.name, image.form, image.inTexts, grows])
    }
    return { rows, failures, bodies }
  },
}

/** Draws a chart, and says one more thing. */
async function converse(driver: WireDriver, isImage: boolean) {
  const image = { type: 'image', mediaType: 'image/png', data: PNG, name: 'chart.png' } as const
  const chart = defineTool({
    name: 'chart',
    description: 'Draws a chart.',
    category: 'retrieval',
    execute: () => (isImage ? succeed('Drawn.', { content: [image] }) : 'Drawn.'),
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [chart] }),
    log: createMemoryLog(),
    ...driver.options,
  })
  const server = await openWireServer({ answers: [[{ name: 'chart' }], 'Here it is.', 'Bye.'] })
  const conversation = driver.converse(server.url, {})
  const { signal } = new AbortController()
  for (const text of ['Draw it.', 'Thanks.']) await conversation.turn(workspace, text, signal)
  const logged = JSON.stringify(await workspace.entries()).length
  await workspace.close()
  await server.close()
  const found = server.requests.map(({ body }) => findImages(body))
  const { requests, violations } = server
  return {
    logged,
    requests: requests.length,
    violations,
    refused: new Set(violations.map(({ request }) => request)).size,
    inTexts: found.reduce((sum, { inTexts }) => sum + inTexts, 0),
    form: found.at(-1)?.forms.join(', ') || 'a sentence',
  }
}

interface Found {
  readonly forms: readonly string[]
  readonly inTexts: number
}

/** Finds the images of a body by the forms of the providers, and base64 in all of its other strings. */
function findImages(value: unknown): Found {
  if (typeof value === 'string') {
    const runs = value.match(/[A-Za-z0-9+/=]{200,}/gu) ?? []
    return { forms: [], inTexts: runs.reduce((sum, run) => sum + run.length, 0) }
  }
  if (isObject(value) && value['mimeType'] === 'image/png') {
    return { forms: ['`inlineData`'], inTexts: 0 }
  }
  if (isObject(value) && typeof value.type === 'string' && isImage(value)) {
    return { forms: [`\`${value.type}\``], inTexts: 0 }
  }
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  const found = members.map(findImages)
  return {
    forms: [...new Set(found.flatMap(({ forms }) => forms))],
    inTexts: found.reduce((sum, { inTexts }) => sum + inTexts, 0),
  }
}

function isImage({ type, image_url: url, source }: Readonly<Record<string, unknown>>): boolean {
  switch (type) {
    case 'input_image':
      return typeof url === 'string' && url.startsWith('data:image/png;base64,')
    case 'image_url':
      return isObject(url) && String(url.url).startsWith('data:image/png;base64,')
    case 'image':
      return isObject(source) && source.type === 'base64' && source.media_type === 'image/png'
    default:
      return false
  }
}
