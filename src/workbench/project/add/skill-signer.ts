import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { WorkspaceError } from '../../../entries/index.ts'
import { shellWord, tryOrUndefined } from '../../../entries/kit.ts'
import type { AddedSkill, LockedFile } from '../../../entries/manifest.ts'
import { LOCK_FILE } from '../config/default-paths.ts'

/** The file of a skill with the signature of its publisher over all others, as `ssh-keygen -Y sign` writes it. */
export const SIGNATURE_FILE = 'loadout.sig'

/** The purpose in the signature: that of a commit or a mail does not count. */
const NAMESPACE = 'loadout-skill'

/** A file of a skill. Only the signature needs its content. */
type SkillFile = Pick<LockedFile, 'path' | 'digest'> & { readonly content?: Uint8Array | undefined }

/**
 * Returns the fingerprint of the key that signed the files of a skill; undefined for a skill without a signature. Throws
 * `SIGNATURE_INVALID` for one that does not fit the files.
 */
export function skillSigner(name: string, files: readonly SkillFile[]): string | undefined {
  const own = files.find(({ path }) => path === SIGNATURE_FILE)
  if (own === undefined) return undefined
  const signed = signedText(files.filter((file) => file !== own))
  const signer = tryOrUndefined(() => verifiedSigner(new TextDecoder().decode(own.content), signed))
  if (signer !== undefined) return signer
  const message = `The files of the skill "${name}" are not those that ${SIGNATURE_FILE} signs. Nothing was copied.`
  throw new WorkspaceError('SIGNATURE_INVALID', message, {
    facts: { skill: name },
    hint: 'Somebody changed it after it was signed, or signed it in another way. Ask its publisher.',
  })
}

/**
 * Refuses files of a skill that its publisher signed before, and not now, or with another key. Throws `SIGNER_CHANGED`.
 *
 * @param isSame true for the files that were copied: they have a signer only if the lock says so
 */
export function refuseOtherSigner(
  { name, signer: before }: AddedSkill,
  address: string,
  files: readonly SkillFile[],
  isSame = false,
): void {
  const now = skillSigner(name, files)
  if (now === before || (before === undefined && !isSame)) return
  const what = now === undefined ? 'is not signed now' : `is signed by ${now} now`
  const who = before === undefined ? `nobody, as ${LOCK_FILE} says,` : before
  const message = `The skill "${name}" ${what}, and ${who} signed it when it was added. Nothing was replaced.`
  throw new WorkspaceError('SIGNER_CHANGED', message, {
    facts: { skill: name, before: before ?? null, now: now ?? null },
    hint: `Ask its publisher. To take it all the same: loadout add ${shellWord(address)} --skill ${shellWord(name)} --force`,
  })
}

/** Returns the text that is signed: a line for each file, as `sha256sum` prints it, in the order of the bytes of paths. */
function signedText(files: readonly SkillFile[]): string {
  return files
    .map(({ path, digest }) => ({ path, line: `${digest.slice('sha256:'.length)}  ./${path}\n` }))
    .sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
    .map(({ line }) => line)
    .join('')
}

/** Returns the fingerprint of the key of an SSH signature. Throws unless the signature is for this text. */
function verifiedSigner(armoured: string, text: string): string {
  const [, base64 = ''] =
    /^-----BEGIN SSH SIGNATURE-----\n([\w+/=\n]+)\n-----END SSH SIGNATURE-----\s*$/u.exec(
      armoured.replaceAll('\r\n', '\n'),
    ) ?? []
  const blob = new Fields(Buffer.from(base64, 'base64'))
  if (blob.take(6).toString('latin1') !== 'SSHSIG' || blob.take(4).readUInt32BE() !== 1) throw WRONG
  const key = blob.field()
  const [namespace, reserved, hash] = [blob.field(), blob.field(), blob.field()]
  const signature = new Fields(blob.field())
  if (namespace.toString() !== NAMESPACE || !/^sha(?:256|512)$/u.test(hash.toString())) throw WRONG
  const digest = createHash(hash.toString()).update(text).digest()
  const message = Buffer.concat([
    Buffer.from('SSHSIG'),
    ...[namespace, reserved, hash, digest].map(withLength),
  ])
  if (!isSignedBy(key, signature.field().toString(), signature.field(), message)) throw WRONG
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`
}

const WRONG = new Error('This is no SSH signature for this text.')

/** The hashes of elliptic curves, with their names elsewhere and the bytes of a number. */
const CURVES: Readonly<Record<string, readonly [curve: string, hash: string, bytes: number]>> = {
  nistp256: ['P-256', 'sha256', 32],
  nistp384: ['P-384', 'sha384', 48],
  nistp521: ['P-521', 'sha512', 66],
}

/** The fewest bits of an RSA key. */
const RSA_BITS = 2048

function isSignedBy(key: Buffer, kind: string, signature: Buffer, message: Buffer): boolean {
  const fields = new Fields(key)
  const type = fields.field().toString()
  if (type === 'ssh-ed25519' && kind === type) {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: fields.field().toString('base64url') }
    return verify(null, message, publicKey(jwk), signature)
  }
  if (type.startsWith('ecdsa-sha2-') && kind === type) {
    const [crv, hash, bytes] = CURVES[fields.field().toString()] ?? []
    const point = fields.field()
    if (crv === undefined || bytes === undefined || point[0] !== 4) return false
    const numbers = new Fields(signature)
    const both = [numbers.field(), numbers.field()].map((one) => fixedNumber(one, bytes))
    const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)]
    const jwk = { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') }
    const under = { key: publicKey(jwk), dsaEncoding: 'ieee-p1363' } as const
    return verify(hash, message, under, Buffer.concat(both))
  }
  // The kind `ssh-rsa` is that of SHA-1.
  const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[kind]
  if (type !== 'ssh-rsa' || hash === undefined) return false
  const [e, n] = [fields.field(), fields.field()]
  const rsa = publicKey({ kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') })
  return (
    (rsa.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS &&
    verify(hash, message, rsa, signature)
  )
}

function publicKey(jwk: JsonWebKey) {
  return createPublicKey({ key: jwk, format: 'jwk' })
}

/** Returns a number of SSH, which may have a zero in front and lack others, in a fixed number of bytes. */
function fixedNumber(number: Buffer, bytes: number): Buffer {
  const digits = number[0] === 0 ? number.subarray(1) : number
  if (digits.length > bytes) throw WRONG
  return Buffer.concat([Buffer.alloc(bytes - digits.length), digits])
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Reads fields of the wire format of SSH: a length in four bytes, and the bytes. */
class Fields {
  #rest: Buffer

  constructor(bytes: Buffer) {
    this.#rest = bytes
  }

  take(count: number): Buffer {
    if (count > this.#rest.length) throw WRONG
    const taken = this.#rest.subarray(0, count)
    this.#rest = this.#rest.subarray(count)
    return taken
  }

  field(): Buffer {
    return this.take(this.take(4).readUInt32BE())
  }
}
