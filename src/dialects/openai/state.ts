import { Misfit } from '../../decision/misfit.ts'
import type { Content } from '../../decision/question.ts'
import { type Json, type JsonObject, objectOf } from '../../json/json.ts'
import { KeyedByCaller } from '../../json/keyed-by-caller.ts'
import type { Input, InputItem, Part } from './request.ts'

/** What the model reads: the text alone, or the conversation in order, without its bookkeeping. */
export const stateOf = (input: Input): string | readonly Json[] => {
  if (typeof input === 'string') return input
  refuseUnansweredOutputs(input)
  return input.map(itemOf)
}

const itemOf = (item: InputItem): JsonObject => {
  switch (item.type) {
    case 'message':
      return objectOf({ role: item.role, content: contentOf(item.content) })
    case 'function_call':
      return objectOf({ type: item.type, ...callOf(item), arguments: item.arguments })
    case 'custom_tool_call':
      return objectOf({ type: item.type, ...callOf(item), input: item.input })
    case 'function_call_output':
    case 'custom_tool_call_output':
      return objectOf({ type: item.type, call_id: item.call_id, output: contentOf(item.output) })
  }
}

const callOf = (call: { call_id: string; name: string; namespace?: string | null | undefined }) => ({
  call_id: call.call_id,
  name: call.name,
  namespace: call.namespace ?? undefined,
})

/** A single part is unwrapped, so that a text reads the same however it was sent. */
export const contentOf = (content: string | readonly Part[]): Content => {
  if (typeof content === 'string') return content
  const parts = content.map(partOf)
  const [only = parts] = parts
  return parts.length === 1 ? only : parts
}

const partOf = (part: Part): Content => {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return part.text
    case 'input_json':
      return part.data
    case 'refusal':
      return objectOf({ refusal: part.refusal })
  }
}

/** An output belongs to a call of its own kind that came before it. */
const refuseUnansweredOutputs = (items: readonly InputItem[]): void => {
  const calls = new KeyedByCaller<InputItem>()
  for (const [index, item] of items.entries()) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      calls.set(`${item.type}_output ${item.call_id}`, item)
    } else if (item.type !== 'message' && !calls.has(`${item.type} ${item.call_id}`)) {
      throw new Misfit(['input', index, 'call_id'], 'must be the call_id of a matching call before it')
    }
  }
}
