import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { openFolderSandbox } from 'loadout/node'
import { expect, test, type TestContext } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { atWork, call } from './at-work.ts'

const CORPUS = resolve('tests/corpus')

const FETCHED = resolve('.fetched')

const PYTHON = join(FETCHED, 'python', 'bin')

/** Skills of the corpus need Python packages; others have to be fetched, too. */
function needsFetched(folder: string, { skip }: TestContext): void {
  skip(!existsSync(join(PYTHON, 'python3')), 'Python packages are not fetched: npm run skills')
  skip(!existsSync(folder), 'the skill is not fetched: npm run skills')
}

/** A folder with a job for the skill at a path, and a session in which a model does it. */
async function aJob(skill: string, context: TestContext) {
  const corpus = join(CORPUS, skill)
  const folder = existsSync(corpus) ? corpus : join(FETCHED, 'skills', skill)
  needsFetched(folder, context)
  const job = await temporaryFolder()
  const environment = { set: { PATH: `${PYTHON}:${process.env['PATH'] ?? ''}` } }
  const sandbox = openFolderSandbox({ folder: job, environment })
  const { says, workspace } = await atWork(folder, sandbox)
  const name = skill.slice(skill.lastIndexOf('/') + 1)
  const run = (path: string, ...words: readonly string[]) =>
    call('runSkillScript', { skillName: name, path, arguments: words })
  return { job, folder, says, workspace, run, load: call('loadSkill', { skillName: name }) }
}

/** Runs Python outside of the session, to make the input of a job and to read its output. */
function python(cwd: string, code: string): string {
  return execFileSync(join(PYTHON, 'python3'), ['-c', code], { cwd, encoding: 'utf8' })
}

/** A port that nothing listens on: the system gives it, and no other soon. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

const done = { exitCode: 0 }

test('pdf of anthropics/skills fills a form', async (context) => {
  const { job, says, run, load } = await aJob('anthropics+skills/skills/pdf', context)
  python(
    job,
    `from reportlab.pdfgen import canvas
c = canvas.Canvas('form.pdf')
c.drawString(50, 750, 'Name'); c.acroForm.textfield(name='name', x=100, y=740, width=200, height=20)
c.drawString(50, 700, 'Agree'); c.acroForm.checkbox(name='agree', x=100, y=695)
c.save()`,
  )
  const [, has, , fields] = await says([
    load,
    run('scripts/check_fillable_fields', 'form.pdf'),
    run('extract_form_field_info.py', 'form.pdf', 'fields.json'),
    call('Read', { file_path: 'fields.json' }),
  ])
  expect(has).toMatchObject({ ...done, stdout: expect.stringContaining('fillable') as string })
  const known = JSON.parse(String(fields?.['text'])) as Record<string, unknown>[]
  expect(known.map((one) => one['field_id'])).toEqual(['name', 'agree'])
  const checked = known.find((one) => one['field_id'] === 'agree')?.['checked_value']
  const values = [
    { field_id: 'name', description: 'Name', page: 1, value: 'Ada Lovelace' },
    { field_id: 'agree', description: 'Agree', page: 1, value: checked },
  ]
  const [, filled] = await says([
    call('Write', { file_path: 'values.json', content: JSON.stringify(values) }),
    run('scripts/fill_fillable_fields.py', 'form.pdf', 'values.json', 'filled.pdf'),
  ])
  expect(filled).toMatchObject(done)
  const read = `from pypdf import PdfReader
f = PdfReader('filled.pdf').get_fields(); print(f['name']['/V'], f['agree']['/V'])`
  expect(python(job, read)).toBe(`Ada Lovelace ${String(checked)}\n`)
})

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** Python that writes a document of two paragraphs. */
const A_DOCUMENT = `import zipfile
z = zipfile.ZipFile('report.docx', 'w')
z.writestr('[Content_Types].xml', '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>')
z.writestr('_rels/.rels', '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>')
z.writestr('word/_rels/document.xml.rels', '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>')
z.writestr('word/document.xml', '<?xml version="1.0"?><w:document xmlns:w="${WORD}"><w:body><w:p><w:r><w:t>Sales rose.</w:t></w:r></w:p><w:p><w:r><w:t>Costs fell.</w:t></w:r></w:p></w:body></w:document>')
z.close()`

test('docx of anthropics/skills writes a comment into a document', async (context) => {
  const { job, says, run, load } = await aJob('anthropics+skills/skills/docx', context)
  python(job, A_DOCUMENT)
  const [, unpacked, , commented] = await says([
    load,
    run('scripts/office/unpack.py', 'report.docx', 'unpacked/'),
    call('Read', { file_path: 'unpacked/word/document.xml' }),
    run('scripts/comment.py', 'unpacked/', '0', 'By how much?', '--author', 'Ada'),
  ])
  expect([unpacked, commented]).toMatchObject([done, done])
  const before = await readFile(join(job, 'unpacked/word/document.xml'), 'utf8')
  const [found = ''] = /<w:r>\s*<w:t>Costs fell\.<\/w:t>\s*<\/w:r>/u.exec(before) ?? []
  const marked = `<w:commentRangeStart w:id="0"/>${found}<w:commentRangeEnd w:id="0"/><w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:commentReference w:id="0"/></w:r>`
  const edit = { file_path: 'unpacked/word/document.xml', old_string: found, new_string: marked }
  const [edited, packed] = await says([
    call('Edit', edit),
    run('scripts/office/pack.py', 'unpacked/', 'out.docx', '--original', 'report.docx'),
  ])
  expect(edited).toMatchObject({ replaced: 1 })
  expect(packed).toMatchObject(done)
  const read = `import zipfile, re
z = zipfile.ZipFile('out.docx')
c = z.read('word/comments.xml').decode(); d = z.read('word/document.xml').decode()
print(re.findall('w:author="([^"]*)"', c), 'By how much?' in c, re.findall('commentReference w:id="(.)"', d))`
  expect(python(job, read)).toBe("['Ada'] True ['0']\n")
})

test('xlsx of anthropics/skills changes a formula', async (context) => {
  const { job, says, run, load } = await aJob('anthropics+skills/skills/xlsx', context)
  python(
    job,
    `from openpyxl import Workbook
w = Workbook(); s = w.active
for row in [['q', 'sales'], [1, 20], [2, 22], ['all', '=B2+B2']]: s.append(row)
w.save('book.xlsx')`,
  )
  const [, unpacked, found, edited, packed] = await says([
    load,
    run('unpack', 'book.xlsx', 'unpacked'),
    call('Grep', { pattern: '<f>[^<]*', path: 'unpacked', glob: '*.xml' }),
    call('Edit', {
      file_path: 'unpacked/xl/worksheets/sheet1.xml',
      old_string: 'B2+B2',
      new_string: 'SUM(B2:B3)',
    }),
    run('pack', 'unpacked', 'out.xlsx', '--original', 'book.xlsx'),
  ])
  expect(unpacked).toMatchObject(done)
  expect(JSON.stringify(found)).toContain('unpacked/xl/worksheets/sheet1.xml')
  expect(edited).toMatchObject({ replaced: 1 })
  expect(packed).toMatchObject(done)
  const read = `from openpyxl import load_workbook
print(load_workbook('out.xlsx').active['B4'].value)`
  expect(python(job, read)).toBe('=SUM(B2:B3)\n')
})

test('webapp-testing of anthropics/skills tests a page that it serves', async (context) => {
  const { says, run, load } = await aJob('anthropics+skills/skills/webapp-testing', context)
  const port = await freePort()
  const check = `import urllib.request
print('title' in urllib.request.urlopen('http://localhost:${port}/page.html').read().decode())`
  const [, , , ran] = await says([
    load,
    call('Write', { file_path: 'page.html', content: '<title>Shop</title>' }),
    call('Write', { file_path: 'check.py', content: check }),
    run(
      'with_server',
      '--server',
      `python3 -m http.server ${port}`,
      '--port',
      port,
      '--',
      'python3',
      'check.py',
    ),
  ])
  expect(ran).toMatchObject({ ...done, stdout: expect.stringContaining('True\n') as string })
})

test('skill-creator of anthropics/skills validates and packs a skill', async (context) => {
  const { job, says, run, load } = await aJob('anthropics+skills/skills/skill-creator', context)
  const text =
    '---\nname: bills\ndescription: Reads bills. Use when a bill is named.\n---\nRead it.\n'
  const [, , wrong, , right, zipped] = await says([
    load,
    call('Write', {
      file_path: 'bills/SKILL.md',
      content: text.replace('name: bills', 'name: Bills!'),
    }),
    run('quick_validate', 'bills'),
    call('Write', { file_path: 'bills/SKILL.md', content: text }),
    run('quick_validate', 'bills'),
    run('package_skill', 'bills', 'out'),
  ])
  expect(wrong).toMatchObject({ exitCode: 1 })
  expect(right).toMatchObject({ ...done, stdout: expect.stringContaining('valid') as string })
  expect(zipped).toMatchObject(done)
  const read = `import zipfile; print(zipfile.ZipFile('out/bills.skill').namelist())`
  expect(python(job, read)).toBe("['bills/SKILL.md']\n")
})

test('slack-gif-creator of anthropics/skills draws a picture that moves', async (context) => {
  const { job, says, load } = await aJob('anthropics+skills/skills/slack-gif-creator', context)
  const [loaded] = await says([load])
  const program = `import sys
sys.path.insert(0, ${JSON.stringify(loaded?.['baseDirectory'])})
sys.dont_write_bytecode = True
from PIL import Image, ImageDraw
from core.gif_builder import GIFBuilder
builder = GIFBuilder(width=128, height=128, fps=10)
for at in range(8):
    frame = Image.new('RGB', (128, 128), (240, 248, 255))
    ImageDraw.Draw(frame).ellipse([at * 12, 40, at * 12 + 30, 70], fill=(200, 30, 30))
    builder.add_frame(frame)
builder.save('ball.gif', num_colors=48)`
  const [, drawn] = await says([
    call('Write', { file_path: 'draw.py', content: program }),
    call('Bash', { command: 'python3 draw.py' }),
  ])
  expect(drawn).toMatchObject(done)
  const read = `from PIL import Image; i = Image.open('ball.gif'); print(i.size, i.n_frames)`
  expect(python(job, read)).toBe('(128, 128) 8\n')
})

test('open-sourcing of trailofbits/skills looks at a repository', async (context) => {
  const skill = 'trailofbits+skills/plugins/open-sourcing/skills/open-sourcing'
  const { says, run, load } = await aJob(skill, context)
  const [, , , ran] = await says([
    load,
    call('Write', { file_path: 'README.md', content: 'A tool.' }),
    call('Bash', { command: 'echo k > server.pem; git init -q; git add .' }),
    run('check_readiness'),
  ])
  expect(ran).toMatchObject(done)
  expect(ran?.['stdout']).toContain('[x] README')
  expect(ran?.['stdout']).toContain('[ ] LICENSE')
  expect(ran?.['stdout']).toContain('- server.pem')
})

test('semgrep of trailofbits/skills merges the findings of two scans', async (context) => {
  const skill = 'trailofbits+skills/plugins/static-analysis/skills/semgrep'
  const { job, says, run, load } = await aJob(skill, context)
  const finding = (rule: string, uri: string) => ({
    ruleId: rule,
    message: { text: rule },
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 3 } } }],
  })
  const scan = (...results: readonly object[]) =>
    JSON.stringify({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'semgrep', rules: [] } }, results }],
    })
  const [, , , ran] = await says([
    load,
    call('Write', { file_path: 'raw/a.sarif', content: scan(finding('eval', 'a.py')) }),
    call('Write', {
      file_path: 'raw/b.sarif',
      content: scan(finding('eval', 'a.py'), finding('exec', 'b.py')),
    }),
    run('merge_sarif.py', 'raw', 'merged.sarif'),
  ])
  expect(ran).toMatchObject(done)
  const { runs } = JSON.parse(await readFile(join(job, 'merged.sarif'), 'utf8')) as {
    runs: { results: { ruleId: string }[] }[]
  }
  const rules = runs.flatMap(({ results }) => results.map(({ ruleId }) => ruleId))
  expect(rules.sort()).toEqual(['eval', 'exec'])
})

test('citation-management of K-Dense-AI converts a list of references', async (context) => {
  const skill = 'K-Dense-AI+claude-scientific-skills/scientific-skills/citation-management'
  const { says, run, load } = await aJob(skill, context)
  const entry = (key: string, author: string, year: string, pages: string) =>
    `@article{${key},\n  author = {${author}},\n  title = {Notes},\n  year = {${year}},\n  pages = {${pages}}\n}\n\n`
  const one = entry('knuth84', 'Knuth, Donald', '1984', '97-111')
  const two = entry('ada43', 'Lovelace, Ada', '1843', '666-731')
  const [, , ran, read] = await says([
    load,
    call('Write', { file_path: 'refs.bib', content: one + two + one }),
    run('format_bibtex', 'refs.bib', '-o', 'out.bib', '--deduplicate', '--sort', 'year'),
    call('Read', { file_path: 'out.bib' }),
  ])
  expect(ran).toMatchObject(done)
  const text = String(read?.['text'])
  expect([...text.matchAll(/@article\{(\w+)/g)].map(([, key]) => key)).toEqual(['ada43', 'knuth84'])
  expect(text).toContain('97--111')
})

test('clinical-reports of K-Dense-AI scans a report for names', async (context) => {
  const skill = 'K-Dense-AI+claude-scientific-skills/scientific-skills/clinical-reports'
  const { says, run, load } = await aJob(skill, context)
  const report = 'Dr. House saw the patient on 03/14/2024. Call 555-123-4567.\n'
  const [, , , read] = await says([
    load,
    call('Write', { file_path: 'report.txt', content: report }),
    run('check_deidentification', 'report.txt', '--output', 'found.json'),
    call('Read', { file_path: 'found.json' }),
  ])
  const found = JSON.parse(String(read?.['text'])) as {
    identifier_violations: { violations: Record<string, object> }
  }
  expect(found).toMatchObject({ status: 'NON_COMPLIANT' })
  const { violations } = found.identifier_violations
  expect(Object.keys(violations)).toEqual(['1_names', '3_dates', '4_telephone'])
  expect(violations['4_telephone']).toMatchObject({ examples: ['555-123-4567'] })
})
