/**
 * The durability of an acknowledged append of a log on disk. With `os` it survives the end of the process;
 * with `full` also a crash of the machine, since the bytes were forced to the disk.
 */
export type Durability = 'os' | 'full'

export const DURABILITIES: readonly Durability[] = ['os', 'full']
