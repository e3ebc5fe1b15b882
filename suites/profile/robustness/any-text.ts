import fc, { type Arbitrary } from 'fast-check'

/** Text of any code points but surrogates. `fc.string({ unit: 'binary' })` says the same, and takes most of a second to set up. */
export function anyText({
  minLength = 0,
  maxLength,
}: {
  minLength?: number
  maxLength: number
}): Arbitrary<string> {
  const point = fc
    .oneof(fc.nat({ max: 0x2ff }), fc.nat({ max: 0x10ffff }))
    .filter((code) => code < 0xd800 || code > 0xdfff)
  return fc.array(point, { minLength, maxLength }).map((points) => String.fromCodePoint(...points))
}
