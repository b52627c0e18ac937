import { TORTURE_PARTS } from './torture-parts.ts'

// The process in which `npm run torture` runs one part: heap, handles and children are those of the part alone.
const [name, seed, scale, forMs] = process.argv.slice(2)

const part = TORTURE_PARTS.find((one) => one.name === name)

if (part === undefined) throw new Error(`No part of the torture is named ${name}.`)

const result = await part.run({ seed: Number(seed), scale: Number(scale), forMs: Number(forMs) })

process.send?.(result, () => process.disconnect())
