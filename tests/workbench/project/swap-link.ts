import { renameSync, statSync, symlinkSync, unlinkSync } from 'node:fs'

/**
 * Swaps a folder for a link that leads out, and back: the given number of times, or until it is
 * killed. Prints a line when it is about to start, and the number of swaps.
 */
const [, , folder = '', outside = '', times = 'Infinity'] = process.argv
process.send?.('ready')
let swaps = 0
for (; swaps < Number(times); swaps += 1) {
  renameSync(folder, `${folder}.away`)
  symlinkSync(outside, folder)
  // Long enough for a reader to meet the link.
  for (let look = 0; look < 20; look += 1) statSync(folder)
  unlinkSync(folder)
  renameSync(`${folder}.away`, folder)
}
process.send?.(swaps, () => process.disconnect())
