import { expect, it } from 'vitest'
import { fieldKind } from '../../reference/fields/registry.ts'
import { type FieldType, fieldTypes } from '../../spec/field-types.ts'

const script = new URL('static/field-control.js', import.meta.url).href

it.each(Object.keys(fieldTypes) as FieldType[])(
  'a form has a control for %s, or needs none',
  async (type) => {
    const { controls } = (await import(script)) as { controls: Record<string, unknown> }
    const { control, defaults } = fieldKind(type)
    const asked = control({ ...defaults, name: 'field', type } as unknown as Parameters<typeof control>[0])
    if (type === 'autodate') expect(asked).toBeUndefined()
    else expect(controls).toHaveProperty(asked?.as ?? 'no control')
  },
)
