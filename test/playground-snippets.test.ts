// Runs the code that the playground copies as a stranger would run it.
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'
import { readExamples } from '../src/calibration/request.ts'
import type { Dialect } from '../src/decision/dialect.ts'
import { signatureOf } from '../src/decision/question-signature.ts'
import { readDecisionRequest } from '../src/decision/request.ts'
import { unitOf } from '../src/decision/unit.ts'
import { native } from '../src/dialects/native.ts'
import { openai } from '../src/dialects/openai/openai.ts'
import { systemone } from '../src/dialects/systemone/systemone.ts'
import { type Json, type JsonObject, objectOf } from '../src/json/json.ts'
import { sealProfile } from '../src/profiles/profile.ts'
import { readProfileKeys } from '../src/profiles/profile-keys.ts'
import { jsonIn, jsonObjectIn } from '../src/testing/json.ts'
import { serverOf } from '../src/testing/server.ts'
import { write } from '../web/src/playground/snippets/snippets.ts'
import { newFolder } from './folder.ts'
import { hasProgram } from './program.ts'
import { complaintsAbout } from './project.ts'
import { run, runShell, runTypeScript } from './run.ts'

const REQUEST = `{
  "state": {"ticket": "It's broken: charged \\"twice\\" & nobody answers", "10": 1.0},
  "questions": {
    "team": {"type": "choice", "instructions": "Who handles \`ticket\`?", "criteria": {"billing": {"what": "money"}, "shipping": null}},
    "angry": {"type": "noul", "instructions": "The customer isn't happy", "criteria": {"true": "annoyed", "false": "calm"}},
    "urgency": {"type": "score", "criteria": ["low", "high"]}
  }
}`

const request = () => jsonObjectIn(REQUEST)

/** A request that OpenAI's API has a place for. */
const ofText = () =>
  jsonObjectIn(`{
    "state": "It's broken: charged twice",
    "questions": {
      "team": {"type": "choice", "instructions": ["Who", {"handles": "a\\nticket"}], "criteria": {"billing": {"what": "money"}, "shipping": null}},
      "angry": {"type": "noul", "instructions": "The customer isn't happy", "criteria": {"true": null}},
      "urgency": {"type": "score", "instructions": "How urgent is it?", "criteria": ["low", "high"]}
    }
  }`)

/** The requests of the page's examples. */
const EXAMPLES = globSync('web/src/playground/examples/*.json', { cwd: ROOT }).map(path => {
  const example = jsonObjectIn(readFileSync(join(ROOT, path), 'utf8'))
  const asked = objectOf({ state: example.get('state'), questions: example.get('questions') })
  return { name: basename(path, '.json'), asked }
})
const hasCurl = hasProgram('curl')

const isOfText = (asked: JsonObject) => typeof asked.get('state') === 'string'

describe('code copied from the playground', () => {
  it.runIf(hasCurl)('runs as curl', async () => {
    const answer = JSON.parse(await runShell(write.curl(request(), inject('service').url)))
    expect(Object.keys(answer.answers)).toEqual(['team', 'angry', 'urgency'])
  })

  it.runIf(hasCurl)('runs as curl if it is longer than an argument may be', async () => {
    // As text it is shorter, but each DEL is written as an escape.
    const long = objectOf({ state: "It's ".padEnd(25_000, '\x7f'), questions: request().get('questions') })
    const copied = join(await newFolder(), 'copied.sh')
    await writeFile(copied, write.curl(long, inject('service').url))
    const answer = JSON.parse(await run('sh', [copied]))
    expect(Object.keys(answer.answers)).toEqual(['team', 'angry', 'urgency'])
  })

  it('runs with the TypeSafe SDK', async () => {
    const printed = await runTypeScript(write.typesafe(request(), inject('service').url))
    expect(printed).toContain("type: 'choice'")
    expect(printed).toContain('legend')
  })

  it('runs with the OpenAI SDK', async () => {
    const printed = await runTypeScript(write.openai(ofText(), inject('service').url))
    expect(printed).toContain("type: 'predicate'")
    expect(printed).toContain("name: 'urgency'")
  })

  it('warns if JavaScript would change the order of keys', () => {
    const reordered = jsonObjectIn(
      '{"state":"x","questions":{"a":{"type":"choice","criteria":{"10":null,"2":null}}}}',
    )
    expect(write.typesafe(reordered, 'https://x.example')).toContain('Check the order')
    expect(write.typesafe(request(), 'https://x.example')).toContain('Check the order')
    expect(
      write.typesafe(jsonObjectIn('{"state":"x","questions":{"a":{"type":"noul"}}}'), 'https://x.example'),
    ).not.toContain('Check the')
  })

  it.each(['{"id":12345678901234567890}', '[1.0]'])(
    'warns if JavaScript would change the digits of a number: %s',
    state => {
      const asked = jsonObjectIn(`{"state":${state},"questions":{"a":{"type":"noul"}}}`)
      expect(write.typesafe(asked, 'https://x.example')).toContain('Check the digits')
    },
  )

  // Each number as Python 3 writes what it reads of it.
  it.each([
    ['1.50', '1.5'],
    ['1e5', '100000.0'],
    ['0.00001', '1e-05'],
    ['1.5e-7', '1.5e-07'],
    ['1e16', '1e+16'],
    ['-0', '0'],
    ['0.1000000000000000000001', '0.1'],
    ['1.0', '1.0'],
    ['-2.5', '-2.5'],
    ['0.0001', '0.0001'],
    ['1.5e-10', '1.5e-10'],
    ['1e+21', '1e+21'],
    ['1234567890123456.0', '1234567890123456.0'],
    ['12345678901234567890', '12345678901234567890'],
  ])('warns if Python would change the digits of a number: %s, which it writes %s', (written, changed) => {
    const asked = jsonObjectIn(`{"state":{"price":[${written}]},"questions":{"a":{"type":"noul"}}}`)
    const code = write.python(asked, 'https://x.example')
    expect(code.includes('\n# Check the digits')).toBe(written !== changed)
  })

  it('in Python uses Python’s literals and keeps the order of keys', () => {
    const code = write.python(
      jsonObjectIn('{"state":[true,null,1.0],"questions":{"10":{},"2":{}}}'),
      'https://x.example',
    )
    expect(code).toContain('True,\n            None,\n            1.0,')
    expect(code.indexOf('"10"')).toBeLessThan(code.indexOf('"2"'))
  })
})

describe('copied TypeScript', () => {
  it('compiles for every example of the page', async () => {
    const programs = EXAMPLES.flatMap(({ asked }) => [
      write.typesafe(asked, 'https://x.example'),
      ...(isOfText(asked) ? [write.openai(asked, 'https://x.example')] : []),
    ])
    expect(programs.length).toBeGreaterThan(EXAMPLES.length)
    expect(await complaintsAbout(programs)).toBe('')
  })

  it.each([
    ['', {}],
    [' with a profile and both orders', { calibration: 'calp1.k.b', order_invariant: true }],
  ])('with the TypeSafe SDK knows the options of each question%s', async (_, more) => {
    const asked = new Map([...request(), ...objectOf(more)])
    const use = `
      answers.team.choice === 'billing'
      // @ts-expect-error
      answers.team.choice === 'nobody'
      // @ts-expect-error
      answers.nothing`
    expect(await complaintsAbout([write.typesafe(asked, 'https://x.example') + use])).toBe('')
  })

  it('with the TypeSafe SDK and a profile lets through only what does not abstain', async () => {
    const { url, secrets } = inject('service')
    const [team, angry] = [...readDecisionRequest(request()).questions.values()].map(signatureOf)
    const rules = new Map([
      [team ?? '', { temperature: 1, cutoff: 0 }],
      [angry ?? '', { temperature: 1, cutoff: null }],
    ])
    const profile = { snapshot: 'decider-preview-2026-10-13', rules }
    const calibration = sealProfile(profile, readProfileKeys(secrets.PROFILE_KEYS)[0])
    const printed = await runTypeScript(
      write.typesafe(new Map([...request(), ['calibration', calibration]]), url),
    )
    expect(printed).toMatch(/^team \{/)
    expect(printed).toContain(
      'angry A person should look at this.\nurgency The profile does not cover this question.',
    )
  })
})

const NOBODY = { tenant: '', snapshot: '' }

/** Questions in every other form that the service reads. */
const OTHERWISE = {
  'an array of named questions': `[
    {"id": "q", "type": "choice", "text": "Which?", "options": ["a", "b"]},
    {"name": "r", "type": "predicate", "text": "It is late"}
  ]`,
  'a map with aliases': `{
    "q": {"type": "choice", "text": "Which?", "choices": [{"value": "a", "description": "the first"}, {"value": true}]},
    "r": {"type": "boolean", "text": "It is late"},
    "s": {"type": "score", "instructions": "How urgent?", "levels": [{"label": "low"}, {"label": "high", "description": "at once"}]}
  }`,
}

describe('the request of copied code', () => {
  it.each([{ name: 'one with structured wording', asked: ofText() }, ...EXAMPLES])(
    'gives the model what the page gives it to read: $name',
    async ({ asked }) => {
      const readOf = (body: Json, dialect: Dialect) => unitOf(dialect.read(body).request, NOBODY)
      const sent = [readOf(await sentBy(origin => write.typesafe(asked, origin)), systemone)]
      if (hasCurl) sent.push(readOf(await sentBy(origin => write.curl(asked, origin), runShell), native))
      const copyOpenai = (origin: string) => write.openai(asked, origin)
      if (isOfText(asked)) sent.push(readOf(await sentBy(copyOpenai), openai))
      else expect(() => copyOpenai('https://x.example')).toThrow('Copy as curl.')
      for (const unit of sent) expect(unit).toEqual(readOf(asked, native))
    },
  )

  it.each(Object.entries(OTHERWISE))(
    'with the TypeSafe SDK is the same as the page’s: %s',
    async (_, questions) => {
      const asked = jsonObjectIn(`{"state": "x", "questions": ${questions}}`)
      const body = await sentBy(origin => write.typesafe(asked, origin))
      const [sent, expected] = [systemone.read(body).request, readDecisionRequest(asked)]
      expect([...sent.questions.keys()]).toEqual([...expected.questions.keys()])
      expect(unitOf(sent, NOBODY)).toEqual(unitOf(expected, NOBODY))
    },
  )

  it.each(Object.entries(OTHERWISE))(
    'with the OpenAI SDK is the same as the page’s: %s',
    async (_, questions) => {
      const asked = jsonObjectIn(`{"state": "x", "questions": ${questions}}`)
      const body = await sentBy(origin => write.openai(asked, origin))
      const { request } = openai.read(body)
      const expected = readDecisionRequest(asked)
      expect(request.state).toBe('x')
      expect([...request.questions.values()]).toEqual([...expected.questions.values()])
    },
  )

  it('with the TypeSafe SDK keeps the calibration profile and order invariance', async () => {
    const asked = jsonObjectIn(
      '{"state": "x", "questions": {"a": {"type": "noul"}}, "calibration": "calp1.k.b", "order_invariant": true}',
    )
    const body = await sentBy(origin => write.typesafe(asked, origin))
    const { request } = systemone.read(body)
    expect(request).toMatchObject({ calibration: 'calp1.k.b', orderInvariant: true, warnings: [] })
  })

  it.each([
    ['curl', hasCurl ? runShell : null, native],
    ['typesafe', runTypeScript, systemone],
    ['openai', runTypeScript, openai],
    ['python', null, native],
  ] as const)(
    'as %s cannot press keys of the terminal that it is pasted into',
    async (form, runCode, dialect) => {
      // A shell that takes DEL for the key rubs out the escapes before it, and the text is no longer quoted.
      const keys = '\'\x7f\x7f\x7f; touch /tmp/taken; \\\x7f" \x80\x9b201~'
      const asked = jsonObjectIn(
        JSON.stringify({ state: keys, questions: { [keys]: { type: 'noul', instructions: keys } } }),
      )
      expect(write[form](asked, 'https://x.example')).not.toMatch(/[^\P{Cc}\n]/u)
      if (runCode === null) return
      const sent = dialect.read(await sentBy(origin => write[form](asked, origin), runCode)).request
      expect(unitOf(sent, NOBODY)).toEqual(unitOf(readDecisionRequest(asked), NOBODY))
    },
  )

  it.each(['curl', 'typesafe', 'python'] as const)('as %s names the snapshot of its profile', language => {
    const { secrets } = inject('service')
    const profile = { snapshot: 'decider-preview-2026-10-13', rules: new Map() }
    const calibration = sealProfile(profile, readProfileKeys(secrets.PROFILE_KEYS)[0])
    const asked = new Map([...request(), ['model', 'decider-1'], ['calibration', calibration]])
    const code = write[language](asked, 'https://x.example')
    expect(code).toMatch(/model"?: "decider-preview-2026-10-13"/)
    expect(code).not.toContain('decider-1')
  })

  it.each(['typesafe', 'openai'] as const)('with the %s SDK carries our key or none', async sdk => {
    const theirs = { TYPESAFE_API_KEY: 'ts-theirs', OPENAI_API_KEY: 'sk-theirs' }
    const told = (env: NodeJS.ProcessEnv) => toldBy(origin => write[sdk](ofText(), origin), env)
    expect(await told({ ...theirs, DECIDER_API_KEY: 'ours' })).toMatchObject({ authorization: 'Bearer ours' })
    expect((await told({ ...theirs, DECIDER_API_KEY: undefined })).authorization).not.toContain('theirs')
  })

  it('is one line to label, which a calibration takes once each label is filled in, and not before', () => {
    const line = write.labelled(request(), '')
    expect(line.indexOf('\n')).toBe(line.length - 1)
    const asked = [...readDecisionRequest(request()).questions.values()]
    expect(() => readExamples([jsonObjectIn(line)])).toThrow(/label/)
    const labels = ['"billing"', 'true', '0']
    const filled = labels.reduce((text, label) => text.replace('"label":null', `"label":${label}`), line)
    const [example] = readExamples([jsonObjectIn(filled)])
    const signatures = [...(example?.questions.values() ?? [])].map(({ asked }) => asked.signature)
    expect(signatures).toEqual(asked.map(signatureOf))
  })

  it('cannot be written in OpenAI’s shape if that has no place for it', () => {
    const withMember = (member: string) =>
      new Map([
        ...jsonObjectIn('{"state": "x", "questions": {"a": {"type": "noul"}}}'),
        ...jsonObjectIn(`{${member}}`),
      ])
    const copying = (member: string) => () => write.openai(withMember(member), 'https://x.example')
    expect(copying('"calibration": "calp1.k.b"')).toThrow('no calibration profile. Copy as curl.')
    expect(copying('"order_invariant": true')).toThrow('no order invariance. Copy as curl.')
    expect(copying('"state": {"a": "b"}')).toThrow('takes JSON only inside a message. Copy as curl.')
    const meaning = '"questions": {"a": {"type": "noul", "criteria": {"false": "calm"}}}'
    expect(copying(meaning)).toThrow('cannot say what yes and no mean. Copy as curl.')
  })

  it('is refused in the service’s words if the service would refuse it', () => {
    const refused = jsonObjectIn(
      '{"state": "x", "questions": {"a": {"type": "choice", "criteria": ["b", "c"]}}}',
    )
    for (const writer of [write.typesafe, write.openai]) {
      expect(() => writer(refused, 'https://x.example')).toThrow('questions.a.criteria must be an object')
    }
  })

  it('is refused even if only the target shape has no place for it', () => {
    const choiceOf = (count: number) => {
      const options = Array.from({ length: count }, (_, at) => `"o${at}": null`)
      return jsonObjectIn(
        `{"state": "x", "questions": {"a": {"type": "choice", "criteria": {${options.join()}}}}}`,
      )
    }
    const copying = (writer: typeof write.openai, options: number) => () =>
      writer(choiceOf(options), 'https://x.example')
    const ofNumber = objectOf({ state: 1, questions: choiceOf(2).get('questions') })
    expect(() => write.typesafe(ofNumber, 'https://x.example')).toThrow(
      'state must be a string, an object or an array',
    )
    expect(copying(write.openai, 1)).toThrow('questions.0.choices must hold at least 2 choices')
    expect(copying(write.openai, 256)).toThrow('questions.0.choices must hold at most 255 choices')
    expect(copying(write.openai, 255)).not.toThrow()
  })
})

/** The body that copied code sends to the service, parsed. */
const sentBy = async (code: (origin: string) => string, runCode = runTypeScript): Promise<Json> => {
  const { sent } = await toldBy(code, {}, runCode)
  return jsonIn(sent)
}

/** The same body as sent, and the key. */
const toldBy = async (
  code: (origin: string) => string,
  env: NodeJS.ProcessEnv = {},
  runCode = runTypeScript,
) => {
  let sent = ''
  let authorization = ''
  const url = await serverOf(async (request, response) => {
    authorization = request.headers.authorization ?? ''
    sent = await text(request)
    response.writeHead(400).end()
  })
  // The SDKs complain about the 400, which is all that this server answers.
  await runCode(code(url), { env }).catch(() => {})
  return { sent, authorization }
}
