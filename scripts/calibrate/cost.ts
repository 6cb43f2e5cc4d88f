import type { Usage } from '../../src/decision/decision.ts'

/** What scoring the examples took, in one sentence. */
export const cost = (
  examples: number,
  seconds: number,
  { input_tokens, cost_usd }: Pick<Usage, 'input_tokens' | 'cost_usd'>,
): string =>
  `${examples} examples in ${seconds.toFixed(1)} s, ${input_tokens.toLocaleString('en')} tokens, $${cost_usd.toFixed(6)}.`
