// JSON Schema from the schemas that check requests, so that what is documented is what is enforced.
import {
  type ConversionConfig,
  type JsonSchema,
  toJsonSchema,
  toJsonSchemaDefs,
} from '@valibot/to-json-schema'
import type { OpenAPIV3_1 } from 'openapi-types'
import type * as v from 'valibot'

type Definitions = Readonly<Record<string, v.GenericSchema>>

const referenceTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` })

/** A JSON body of a named schema. */
export const contentOf = (schema: string, example?: unknown) => ({
  'application/json': { schema: referenceTo(schema), example },
})

/** Each schema by its name; one that uses another refers to it. */
export const componentSchemas = (definitions: Definitions): Record<string, JsonSchema> =>
  toJsonSchemaDefs(definitions, {
    ...conversion,
    overrideSchema: context => {
      const schema = overrideSchema(context)
      if (schema !== undefined) return schema
      // Generators of clients require a field that has a default. Its description says what is used without it.
      const { default: _, ...optional } = context.jsonSchema
      return optional
    },
  })

/** Query parameters, from the strict object that reads them: each with the type that its text stands for. */
export const parametersOf = (
  { entries }: { entries: Record<string, v.GenericSchema> },
  words: Readonly<Record<string, string>>,
): OpenAPIV3_1.ParameterObject[] =>
  Object.entries(entries).map(([name, entry]) => {
    const { $schema: _, ...schema } = toJsonSchema(entry, {
      ...conversion,
      // A pipe's last schema: for a number, the rules of the number and not those of its text.
      typeMode: 'output',
      errorMode: 'ignore',
    })
    // A default is text, too.
    if (schema.type === 'integer') schema.default = Number(schema.default)
    return { name, in: 'query', ...(words[name] && { description: words[name] }), schema: schema as object }
  })

type Override = NonNullable<ConversionConfig['overrideSchema']>
type MapSchema = v.MapSchema<v.GenericSchema, v.GenericSchema, undefined>
type Picklist = v.PicklistSchema<readonly string[], undefined>

/** In code an object whose order of keys counts is a Map; on the wire it is an object like any other. */
const overrideSchema: Override = ({ valibotSchema, jsonSchema, referenceMap }) => {
  if (valibotSchema.type === 'map') {
    const { key, value } = valibotSchema as unknown as MapSchema
    const member = memberOf(value, referenceMap)
    if (key.type !== 'picklist') return { type: 'object', additionalProperties: member }
    const names = (key as unknown as Picklist).options
    const properties = Object.fromEntries(names.map(name => [name, member]))
    return { type: 'object', properties, required: [...names], additionalProperties: false }
  }
  // Generators of clients take a number of no format for one of 32 bits, which rounds a probability.
  if (valibotSchema.type === 'number') return { ...jsonSchema, format: 'double' }
  // Generators of clients take a constant of no type for a field that may hold anything.
  if (valibotSchema.type === 'literal') return { type: typeof jsonSchema.const, ...jsonSchema } as JsonSchema
  if (valibotSchema.type === 'nullish' && isNever(valibotSchema)) return { const: null }
  // The metadata piped after a custom check says what it admits.
  if (valibotSchema.type === 'custom') return {}
  if (valibotSchema.type !== 'variant') return undefined
  const options = jsonSchema.oneOf ?? []
  const [only, ...others] = options
  if (typeof only === 'object' && others.length === 0) return only
  const variant = valibotSchema as unknown as Variant
  // A variant of variants is told apart by more than one field. What generators of clients make of a union in a union
  // may not compile, so it is one union.
  if (variant.options.some(({ entries }) => entries === undefined)) return { oneOf: options.flatMap(unionOf) }
  if (!options.every(isReference)) return undefined
  return { ...jsonSchema, discriminator: discriminatorOf(variant, options) } as JsonSchema
}

type Wrapping = { wrapped: v.GenericSchema }

/** What a map holds: the library, which knows no maps, does not look for the named schemas in it. */
const memberOf = (schema: v.GenericSchema, names: ReadonlyMap<v.GenericSchema, string>): JsonSchema => {
  const name = names.get(schema)
  if (name !== undefined) return referenceTo(name)
  if (schema.type === 'nullable')
    return { anyOf: [memberOf((schema as unknown as Wrapping).wrapped, names), { type: 'null' }] }
  const { $schema: _, ...inline } = toJsonSchema(schema, conversion)
  return inline
}

const isNever = (schema: unknown) => (schema as Wrapping).wrapped.type === 'never'

type Reference = { $ref: string }
type Variant = { key: string; options: readonly { entries?: Record<string, { literal?: string }> }[] }

/** The schemas that an option stands for: those of a union, or itself. */
const unionOf = (option: boolean | JsonSchema) => (typeof option === 'object' && option.oneOf) || [option]

const isReference = (option: unknown): option is Reference =>
  typeof option === 'object' && option !== null && '$ref' in option

const discriminatorOf = ({ key, options }: Variant, references: readonly Reference[]) => ({
  propertyName: key,
  mapping: Object.fromEntries(
    options.map(({ entries }, index) => [entries?.[key]?.literal, references[index]?.$ref]),
  ),
})

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  overrideSchema,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    // An integer is no double. 32 bits are enough for one, unless it may be as large as any.
    const { format: _, ...integer } = jsonSchema
    if (valibotAction.type === 'integer') return integer
    if (valibotAction.type === 'safe_integer') return { ...integer, format: 'int64' }
    const { requirement } = valibotAction as { requirement?: number }
    if (requirement === undefined) return undefined
    if (valibotAction.type === 'min_size') return { ...jsonSchema, minProperties: requirement }
    if (valibotAction.type === 'max_size') return { ...jsonSchema, maxProperties: requirement }
    return undefined
  },
  overrideRef: ({ referenceId }) => referenceTo(referenceId).$ref,
}
