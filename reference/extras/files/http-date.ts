const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = String.raw`(?<time>\d\d:\d\d:\d\d)`
/** The preferred form and the two old ones of RFC 9110, section 5.6.7. */
const forms = [
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) ${month} (?<year>\d{4}) ${time} GMT`,
  String.raw`(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-${month}-(?<year>\d\d) ${time} GMT`,
  String.raw`(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} {1,2}(?<day>\d\d?) ${time} (?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/**
 * The seconds since the epoch of an HTTP date. Undefined for any other string, dates in other forms included: a header
 * that is not an HTTP date is ignored.
 */
export function parseHttpDate(text: string): number | undefined {
  const {
    year = '',
    month = '',
    day = '',
    time,
  } = forms.map((form) => form.exec(text)?.groups).find(Boolean) ?? {}
  const century = year.length === 2 ? (Number(year) < 69 ? '20' : '19') : ''
  const inYear = `${months.indexOf(month) + 1}`.padStart(2, '0')
  const iso = `${century}${year}-${inYear}-${day.padStart(2, '0')}T${time}.000Z`
  const date = new Date(iso)
  // A day that the month does not have becomes one of the next month.
  return Number.isNaN(date.getTime()) || date.toISOString() !== iso ? undefined : date.getTime() / 1000
}
