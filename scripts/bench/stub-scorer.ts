// A scorer that answers immediately, for measuring the edge alone. `node stub-scorer.ts <port>`
import { createServer } from 'node:http'
import type { Pass, ScoreReply, ScoreRequest, UnitQuestion } from '../../scorer/protocol.ts'
import { scorerThatPrefersTheFirst } from '../../src/testing/scorer.ts'

const health = await scorerThatPrefersTheFirst().health()

const pass = (question: UnitQuestion): Pass => {
  const options =
    question.type === 'choice'
      ? question.options.length
      : question.type === 'noul'
        ? 2
        : question.levels.length
  return {
    logits: Array.from({ length: options }, (_, option) => Math.sin(option) * 3.3),
    questionTokens: 20,
    framingTokens: 3 + 2 * options,
  }
}

const score = ({ units }: ScoreRequest): ScoreReply => ({
  units: units.map(({ state, questions }) => ({
    kind: 'scored',
    stateTokens: Math.ceil(state.text.length / 4),
    stateFramingTokens: 4,
    cached: false,
    questions: questions.map(question => ({ ...pass(question), reversed: null })),
  })),
  runMs: 0,
})

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const answer =
      request.url === '/score' ? score(JSON.parse(Buffer.concat(chunks).toString()) as ScoreRequest) : health
    const text = JSON.stringify(answer)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    response.writeHead(200, headers).end(text)
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
