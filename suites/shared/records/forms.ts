/** A file on its way: name, bytes, and the media type that the client claims. */
export interface FilePart {
  name: string
  bytes: string | Uint8Array
  type?: string
}

/** The first bytes of every PNG file: enough for a server that looks at the content. */
export const PNG: Uint8Array = Uint8Array.from([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0,
  1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89,
])

/** A multipart body of strings and files, in the given order. A key may occur more than once. */
export function formOf(parts: readonly (readonly [key: string, value: string | FilePart])[]): FormData {
  const form = new FormData()
  for (const [key, value] of parts) {
    if (typeof value === 'string') form.append(key, value)
    else
      form.append(
        key,
        new Blob([Buffer.from(value.bytes as string)], { type: value.type ?? 'text/plain' }),
        value.name,
      )
  }
  return form
}

/** A file for each file field of the table with all field types. A server may take none: how they are sent is left open. */
export function uploads(): FormData {
  return formOf([
    ['file', textFile('one.txt')],
    ['files', textFile('two.txt')],
    ['files', textFile('three.txt')],
  ])
}

/** A small text file. */
export function textFile(name: string, bytes = 'some text'): FilePart {
  return { name, bytes }
}
