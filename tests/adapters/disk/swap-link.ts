import { renameSync, symlinkSync, unlinkSync } from 'node:fs'

/** Swaps a folder for a link that leads out, and back, until it is ended. */
const [, , folder = '', outside = ''] = process.argv
process.send?.('ready')
for (;;) {
  renameSync(folder, `${folder}.away`)
  symlinkSync(outside, folder)
  unlinkSync(folder)
  renameSync(`${folder}.away`, folder)
}
