/**
 * What an acknowledged append of a log on disk survives: `os` the end of the process, `full` the
 * end of the machine too, since the bytes were forced to the disk.
 */
export type Durability = 'os' | 'full'
