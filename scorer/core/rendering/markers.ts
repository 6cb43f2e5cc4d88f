// Rendering version 1: the markers of a request, which are rows of the vocabulary that no text can produce.
//
//   state     STATE_OPEN FORM tokens… STATE_CLOSE REST
//   question  TYPE instructions… END_OF_INSTRUCTIONS END_OF_QUESTION, then per option: OPEN tokens… CLOSE

export const RENDERING = 1

export const TYPE = { choice: 1, noul: 2, score: 3 } as const
export const END_OF_INSTRUCTIONS = 4
export const END_OF_QUESTION = 5
export const OPEN = { choice: 6, score: 7, noul: [9, 10] } as const
export const CLOSE = 8
export const NEWLINE = 11
export const STATE_FORM = { text: 12, json: 13 } as const
export const REST = 14
export const STATE_OPEN = 101
export const STATE_CLOSE = 102
export const FIRST_BYTE = 200

/** How many markers surround a state. */
export const STATE_MARKERS = 4

/** What a snapshot's tokenizer.json must hold under `decider`. A snapshot with other markers is refused. */
export const MARKERS = {
  rendering: RENDERING,
  newline: NEWLINE,
  first_byte: FIRST_BYTE,
  type: TYPE,
  end_of_instructions: END_OF_INSTRUCTIONS,
  end_of_question: END_OF_QUESTION,
  open: OPEN,
  close: CLOSE,
  state_open: STATE_OPEN,
  state_form: STATE_FORM,
  state_close: STATE_CLOSE,
  rest: REST,
} as const
