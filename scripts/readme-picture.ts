import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PROJECT } from './run-command.ts'
import { SIZES, takePicture } from './frames-of-page.ts'
import { takeMovingPicture } from './moving-picture.ts'

/**
 * `npm run picture`: takes the pictures of the documents from the built command. The moving one needs Python.
 *
 * `npm run picture -- <folder> [keys]`: takes pictures of the playground to look at, of five sizes, dark and light.
 */
const [folder, ...keys] = process.argv.slice(2)

if (folder === undefined) {
  save(join(PROJECT, 'docs'), 'playground.svg', takePicture())
  save(join(PROJECT, 'docs'), 'conversation.svg', await takeMovingPicture())
} else {
  mkdirSync(resolve(folder), { recursive: true })
  const pressed = keys.length === 0 ? {} : { keys: keys.join(' ') }
  for (const size of SIZES) {
    save(resolve(folder), `${size}-dark.svg`, takePicture(size, pressed))
    save(resolve(folder), `${size}-light.svg`, takePicture(size, { ...pressed, light: true }))
  }
}

function save(to: string, name: string, picture: string): void {
  writeFileSync(join(to, name), picture)
  console.log(`${name}: ${picture.length} characters`)
}
