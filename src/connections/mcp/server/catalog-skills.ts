import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Resource } from '@modelcontextprotocol/server'
import type {
  Skill as ServedSkill,
  SkillReadResult,
  SkillSource,
} from '@modelcontextprotocol/server/ext/skills'
import { stringify } from 'yaml'
import type { Catalog, Redactor, Skill, VirtualWorkspace } from '../../../entries/index.ts'
import { textHash, tryOrUndefined, wellFormed } from '../../../entries/kit.ts'
import { refuseSecrets, withoutSecrets } from './hide-in-messages.ts'
import type { McpSdk } from './mcp-sdk.ts'

/** Skills in one page of the list. */
const PAGE = 100

const MAIN = 'SKILL.md'

/** The entry of a skill in the list, with the bytes of its main file. */
interface Served {
  readonly entry: ServedSkill
  readonly main: Uint8Array
}

/** Returns what rules say about the reading of a skill, or of one of its files; null when a model may. */
type Reading = VirtualWorkspace['approvals']['reading']

interface Place {
  readonly skill: Skill
  readonly path: string
}

/** The entries of skills that were listed, so that their main files are read once. */
export type ServedSkills = WeakMap<Skill, Promise<Served | null>>

/**
 * The skills of a catalog for the Skills extension: their files are listed with the digests that a lock has, and read
 * one by one. A file whose content no longer has its digest is not served.
 */
export class CatalogSkills implements SkillSource {
  readonly #skills: () => Catalog['skills']
  readonly #sdk: McpSdk
  readonly #active: () => ReadonlySet<string>
  readonly #reading: Reading
  readonly #served: ServedSkills
  readonly #redactor: Redactor | undefined

  /**
   * @param session its skills; the names of those of which all files are in the list of resources; and what its rules say
   *   about the reading of one
   * @param served shared by the sessions of a server
   */
  constructor(
    sdk: McpSdk,
    session: {
      readonly skills: () => Catalog['skills']
      readonly active: () => ReadonlySet<string>
      readonly reading: Reading
    },
    served: ServedSkills,
    redactor?: Redactor,
  ) {
    this.#sdk = sdk
    this.#redactor = redactor
    this.#skills = session.skills
    this.#active = session.active
    this.#reading = session.reading
    this.#served = served
  }

  async list({ cursor }: { cursor?: string }) {
    const skills = [...this.#skills().values()]
    const from = cursor === undefined ? 0 : Number(cursor)
    if (!Number.isSafeInteger(from) || from < 0) {
      const { ProtocolError, ProtocolErrorCode } = this.#sdk
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not of this list.')
    }
    const page = await Promise.all(skills.slice(from, from + PAGE).map((one) => this.#entry(one)))
    const entries = page.flatMap((one) => one ?? [])
    const isLast = from + PAGE >= skills.length
    return { skills: entries, ...(!isLast && { nextCursor: String(from + PAGE) }) }
  }

  async get(uri: string) {
    const place = this.#place(uri)
    return place?.path === MAIN ? this.#entry(place.skill) : undefined
  }

  async read(uri: string) {
    const place = this.#place(uri)
    const served = place && (await this.#serve(place.skill))
    if (!served || !this.#isShown(place)) return undefined
    const { skill, path } = place
    if (this.#reading(skill.name, ruled(path)) === 'ask') {
      throw confirmsFirst(uri, path === MAIN ? 'loadSkill' : 'loadSkillFile', this.#sdk)
    }
    if (path === MAIN) return contentOf(served.main)
    const file = skill.files.find((one) => one.path === path)
    if (file === undefined) return undefined
    const bytes =
      skill.path === undefined
        ? Buffer.from((await skill.readFile?.(path)) ?? '')
        : await readFile(join(dirname(skill.path), path))
    if (textHash(bytes) !== file.hash) return undefined
    refuseSecrets(bytes, uri, this.#sdk, this.#redactor)
    return contentOf(bytes)
  }

  async readDirectory(uri: string) {
    const place = this.#place(uri.endsWith('/') ? uri : `${uri}/`)
    if (place === null) return undefined
    const within = place.path
    const below = this.#paths(place.skill).flatMap((path) =>
      path.startsWith(within) ? [path.slice(within.length)] : [],
    )
    if (below.length === 0) return undefined
    const names = new Set(below.map((path) => path.slice(0, path.indexOf('/') + 1) || path))
    const resources = [...names].map((name) => {
      if (!name.endsWith('/')) return resourceOf(place.skill, `${within}${name}`)
      const plain = name.slice(0, -1)
      return { uri: uriOf(place.skill.name, `${within}${plain}`), name: plain, mimeType: FOLDER }
    })
    return { resources }
  }

  /** Lists the main files of the first skills, and all files of those that are active. */
  async listResources() {
    const active = this.#active()
    const all = [...this.#skills().values()]
    const listed = all.filter(({ name }, index) => index < PAGE || active.has(name))
    const served = await Promise.all(listed.map((one) => this.#serve(one)))
    return listed.flatMap((skill, index) => {
      if (served[index] === null) return []
      const paths = this.#paths(skill).filter((path) => path === MAIN || active.has(skill.name))
      return paths.map((path) => resourceOf(skill, path))
    })
  }

  /** Returns the entry of a skill without the files that rules keep back; undefined when they keep all back. */
  async #entry(skill: Skill): Promise<ServedSkill | undefined> {
    if (!this.#isShown({ skill, path: MAIN })) return undefined
    const served = await this.#serve(skill)
    const uris = new Set(this.#paths(skill).map((path) => uriOf(skill.name, path)))
    if (served === null) return undefined
    const { resources } = served.entry
    if (!Array.isArray(resources)) return served.entry
    return { ...served.entry, resources: resources.filter(({ uri }) => uris.has(uri)) }
  }

  #isShown({ skill, path }: Place): boolean {
    return this.#reading(skill.name, ruled(path)) !== 'deny'
  }

  /** Returns the paths of a skill without those that rules keep back. */
  #paths(skill: Skill): readonly string[] {
    const paths = [MAIN, ...skill.files.map(({ path }) => path)]
    return paths.filter((path) => this.#isShown({ skill, path }))
  }

  #serve(skill: Skill): Promise<Served | null> {
    const known = this.#served.get(skill)
    if (known) return known
    const serving = this.#entryOf(skill)
    this.#served.set(skill, serving)
    return serving
  }

  /** Returns null for a skill that the extension cannot carry, such as one whose file is gone. */
  async #entryOf(skill: Skill): Promise<Served | null> {
    try {
      const main = await mainFile(skill, this.#redactor)
      const { frontmatter } = await this.#sdk.skillEntry(skill.name, { [MAIN]: main })
      const files = skill.files.map(({ path, hash, size }) => ({
        uri: uriOf(skill.name, path),
        digest: hash,
        size,
      }))
      const uri = uriOf(skill.name, MAIN)
      const own = { uri, digest: textHash(main), size: main.byteLength }
      return { entry: { uri, frontmatter, resources: [own, ...files] } as ServedSkill, main }
    } catch {
      return null
    }
  }

  /** Finds a skill and the path below it. */
  #place(uri: string): Place | null {
    if (!uri.startsWith(BASE)) return null
    const parts = uri.slice(BASE.length).split('/')
    const [name = '', ...rest] = parts.map(
      (part) => tryOrUndefined(() => decodeURIComponent(part)) ?? part,
    )
    const skill = this.#skills().get(name)
    return skill === undefined ? null : { skill, path: rest.join('/') }
  }
}

/** Returns the error for a text that no client gets before a person has confirmed it. */
export function confirmsFirst(what: string, tool: string, sdk: McpSdk): Error {
  const { ProtocolError, ProtocolErrorCode } = sdk
  const message = `A person has to confirm that "${what}" is read. Call ${tool}, which asks.`
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, message)
}

const BASE = 'skill://'

/** The media type of a folder in the extension. */
const FOLDER = 'inode/directory'

function uriOf(skill: string, path: string): string {
  return `${BASE}${[skill, ...path.split('/')].map(encodeURIComponent).join('/')}`
}

/** Returns the path that rules about files see: the main file is the skill. */
function ruled(path: string): string | undefined {
  return path === MAIN ? undefined : path
}

/** Describes a file in a list. The main file has the name and the description of its skill. */
function resourceOf({ name, description, files }: Skill, path: string): Resource {
  const type = path.endsWith('.md') ? { mimeType: 'text/markdown' } : {}
  const uri = uriOf(name, path)
  if (path === MAIN) return wellFormed({ uri, name, description, ...type })
  const file = files.find((one) => one.path === path)
  const about = file?.description === undefined ? {} : { description: file.description }
  const size = file === undefined ? {} : { size: file.size }
  return wellFormed({
    uri,
    name: path.slice(path.lastIndexOf('/') + 1),
    ...about,
    ...type,
    ...size,
  })
}

/** Returns the SKILL.md of a skill without secrets, and writes one for a skill that is defined in code. */
async function mainFile(skill: Skill, redactor: Redactor | undefined): Promise<Uint8Array> {
  if (skill.path?.endsWith(MAIN) === true) {
    return withoutSecrets(await readFile(skill.path), redactor)
  }
  const { name, description, license, compatibility, metadata, instructions } = skill
  const front = {
    name,
    description,
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  // YAML breaks long lines, and a secret with them.
  const written = stringify(redactor?.texts(front) ?? front)
  return withoutSecrets(Buffer.from(`---\n${written}---\n\n${instructions}\n`), redactor)
}

function contentOf(bytes: Uint8Array): SkillReadResult {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch {
    return { bytes }
  }
}
