import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const COMMIT = 'a'.repeat(40)

/** Frames a line of the protocol of git. */
function line(content: string | Buffer): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, '0')), body])
}

const FLUSH = Buffer.from('0000')

/** The beginning of a pack whose one file has a terabyte. */
function packStart(): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x01', 'latin1')
  const size: number[] = [(3 << 4) | 0x80]
  for (let rest = 2 ** 36; rest > 0; rest = Math.floor(rest / 128)) {
    size.push((rest % 128) | (rest >= 128 ? 0x80 : 0))
  }
  return Buffer.concat([head, Buffer.from(size), Buffer.from([0x78, 0x01])])
}

/** A block of zlib that is not compressed. */
const BLOCK = Buffer.concat([Buffer.from([0, 0x60, 0xea, 0x9f, 0x15]), Buffer.alloc(60_000, 7)])

/** Starts a server with a git repository whose pack never ends. */
export async function startEndlessRepository() {
  let sent = 0
  let isOpen = false
  const server = createServer((request, response) => {
    const isListing = request.url?.includes('info/refs') === true
    const kind = isListing ? 'advertisement' : 'result'
    response.setHeader('content-type', `application/x-git-upload-pack-${kind}`)
    if (isListing) {
      const service = line('# service=git-upload-pack\n')
      const head = line(`${COMMIT} HEAD\0shallow side-band-64k ofs-delta\n`)
      response.end(Buffer.concat([service, FLUSH, head, FLUSH]))
      return
    }
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      response.write(Buffer.concat([line(`shallow ${COMMIT}\n`), FLUSH]))
      if (!body.includes('done')) return response.end()
      response.write(line('NAK\n'))
      response.write(line(Buffer.concat([Buffer.from([1]), packStart()])))
      isOpen = true
      response.on('close', () => (isOpen = false))
      const block = line(Buffer.concat([Buffer.from([1]), BLOCK]))
      const more = () => {
        while (!response.destroyed) {
          sent += block.length
          if (!response.write(block)) return response.once('drain', more)
        }
        return undefined
      }
      return more()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/endless.git`,
    sent: () => sent,
    /** True while somebody still reads the pack. */
    isOpen: () => isOpen,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
