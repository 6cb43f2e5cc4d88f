const QUESTIONS = {
  urgent: { type: 'noul', instructions: 'The customer needs an answer today.' },
  team: {
    type: 'choice',
    instructions: 'Which team should take `ticket.messages[0].text`?',
    criteria: {
      billing: 'Invoices, refunds, payment methods',
      technical: { what: 'Something does not work', not_for: 'How-to questions' },
      sales: 'Plans, quotes, upgrades',
      other: null,
    },
  },
  tone: {
    type: 'score',
    instructions: 'How polite is the customer?',
    criteria: ['Rude', 'Curt', 'Neutral', 'Kind'],
  },
}

/** A request of about this many bytes: three questions, and a state of prose with a little structure. */
export const decisionOf = (bytes: number): Buffer => {
  const text = (length: number) =>
    'The delivery came late again, and the "box" was open. '.repeat(1 + length / 50).slice(0, length)
  const body = (length: number) =>
    JSON.stringify({
      state: { ticket: { id: 10_492, messages: [{ from: 'ada', text: text(length) }] } },
      questions: QUESTIONS,
    })
  return Buffer.from(body(Math.max(0, bytes - body(0).length)))
}

/** A little less than 4 MB, to leave room for the surrounding characters. */
const FOUR_MB = 3_999_990
const filled = (unit: string): string => unit.repeat(Math.floor(FOUR_MB / unit.length))
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `"${i.toString(36)}":0`).join(',')

/** V8 hashes a string of digits by its value: these collide in one bucket of a Map. */
const meeting = (count: number): string =>
  Array.from({ length: count }, (_, i) => `"${(i + 20_000) * 65_536}":0`).join(',')

/** Four megabytes that cost a careless reader its stack, its memory or its time. */
export const hostileBodies: Record<string, Buffer> = {
  'open brackets': Buffer.from(filled('[')),
  'open objects': Buffer.from(filled('{"a":')),
  'tiny objects': Buffer.from(`[${filled('{"":0},')}`),
  'empty arrays': Buffer.from(`[${filled('[],')}`),
  zeros: Buffer.from(`[${filled('0,')}`),
  fractions: Buffer.from(`[${filled('1.5,')}`),
  'tiny strings': Buffer.from(`[${filled('"\\n",')}`),
  'strings of escapes': Buffer.from(`[${filled('"\\n\\n\\n\\n\\n",')}`),
  'many keys': Buffer.from(`{${numbered(400_000).slice(0, FOUR_MB)}`),
  'keys that meet': Buffer.from(`[${filled(`{${meeting(32_000)}},`)}`),
  'one string of escapes': Buffer.from(`"${filled('\\u00e9').slice(2)}"`),
  'one long number': Buffer.from(filled('1')),
  spaces: Buffer.from(filled(' ')),
}
