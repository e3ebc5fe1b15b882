/** A form with the same values and files, so that more can be added. @param nameOf the key of each. @default the same */
export function copyForm(form: FormData, nameOf = (key: string) => key): FormData {
  const copy = new FormData()
  for (const [key, value] of form)
    if (typeof value === 'string') copy.append(nameOf(key), value)
    else copy.append(nameOf(key), value, value.name)
  return copy
}
