import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, loadavg, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSkills } from './generate-skills.ts'
import { measureManifest } from './measure-manifest.ts'
import { writeSkillFolders } from './write-skill-folders.ts'

/**
 * `npm run bench:manifest`: writes 10,000 skills with three tools each as folders, builds them, loads the
 * manifest, and runs Carnet's constructor for comparison; prints a table and writes `results/manifest.json`.
 * `BENCH_SKILLS` overrides the number of skills; then nothing is written. `BENCH_DATE` overrides the date of
 * the run.
 */
const SKILLS = Number(process.env['BENCH_SKILLS'] ?? 10_000)
const loadBefore = Number((loadavg()[0] ?? 0).toFixed(1))
const report = (what: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${what}`)
}

const folder = await mkdtemp(join(tmpdir(), 'loadout-bench-'))
try {
  const texts = generateSkills(SKILLS)
  report('writing folders')
  await writeSkillFolders(folder, texts)
  const figures = await measureManifest(folder, texts, report)
  report('')
  const run = {
    date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: {
      system: `${platform()} ${arch()}`,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      loadBefore,
    },
    peers: { carnet: '0.3.0' },
    skills: SKILLS,
    figures,
  }
  if (process.env['BENCH_SKILLS'] === undefined) {
    const file = new URL('results/manifest.json', import.meta.url)
    await writeFile(file, `${JSON.stringify(run, null, 2)}\n`)
  }
  for (const { what, engine, median, unit, runs, target } of figures) {
    const amount =
      unit === 'bytes' ? `${(median / 1e6).toFixed(1)} MB` : `${median.toPrecision(3)} ms`
    const aim = target === null ? '' : `target ${target} ${unit}`
    console.log(
      [what.padEnd(42), engine.padEnd(8), amount.padStart(12), `${runs}`.padStart(4), aim].join(
        ' ',
      ),
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
