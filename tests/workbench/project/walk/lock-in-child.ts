import { lockFile } from '../../../../src/workbench/project/walk/lock-file.ts'

// Run as a process of its own: locks a file, says so, and lives until its input ends.
await lockFile(process.argv[2] ?? '')
process.stdout.write('locked\n')
process.stdin.resume()
