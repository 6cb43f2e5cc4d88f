// What is answered about `examples/support-tickets.jsonl` when only the question `team` is labelled.

import { NOTE } from '../calibration/report.ts'
import type { CalibrationResponse } from '../calibration/wire.ts'

/** The first line of that file. */
export const labelledExample = {
  state:
    'I am a little disappointed. My gift card still has money on it, but the till says the balance is zero. Whenever you find the time is fine. I would have hoped for better.',
  questions: {
    team: {
      type: 'choice',
      instructions: 'Which team should handle this ticket?',
      criteria: {
        billing: 'payments, invoices, refunds and prices',
        shipping: 'delivery, parcels, addresses and damage on the way',
        technical: 'errors, crashes and things that do not work as they should',
        account: 'signing in, passwords, personal data and membership',
      },
      label: 'billing',
    },
  },
}

/** Rounded. */
export const calibrationAnswer: CalibrationResponse = {
  object: 'calibration',
  model: 'decider-preview-2026-10-13',
  target_error: 0.1,
  profile: 'calp1.2026-11.eyJzbmFwc2hvdCI6ImRlY2lkZXItcHJldmlldy…',
  n_examples: 400,
  questions: [
    {
      signature: '6be22b40a2adcc97653da1af0b015adb',
      type: 'choice',
      question_ids: ['team'],
      status: 'fitted',
      before: {
        accuracy: 0.908,
        ece: 0.077,
        brier: 0.152,
        nll: 0.296,
        mean_confidence: 0.83,
        coverage: 1,
        cutoff: null,
        n: 400,
      },
      after: {
        accuracy: 0.908,
        ece: 0.024,
        brier: 0.141,
        nll: 0.252,
        mean_confidence: 0.91,
        coverage: 0.953,
        cutoff: 0.595,
        n: 400,
        temperature: 0.613,
        coverage_at_target_error: 0.935,
        error_when_covered: 0.072,
      },
    },
  ],
  note: NOTE,
  usage: {
    input_tokens: 44_469,
    state_tokens: 15_669,
    question_tokens: 22_800,
    framing_tokens: 6_000,
    image_tokens: 0,
    cached_tokens: 0,
    output_tokens: 0,
    cost_usd: 0.0044469,
  },
}
