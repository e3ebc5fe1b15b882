/**
 * The form of HAR 1.2, as this package writes it.
 *
 * @module
 */

/** A header or a query parameter. */
export interface NameValue {
  /** Name as it was sent. */
  name: string
  /** Value as it was sent, or the name of the secret that it was. */
  value: string
}

/** A body in an HTTP Archive. */
export interface HarBody {
  /** Value of the `content-type` header. */
  mimeType: string
  /** The body as text, without secrets. */
  text: string
  /** What was left out, and why. */
  comment?: string
}

/** The request of an entry. */
export interface HarRequest {
  /** In capitals: `GET`. */
  method: string
  /** Full address, without secrets. */
  url: string
  /** Such as `HTTP/1.1`. */
  httpVersion: string
  /** Empty: cookies are among the headers. */
  cookies: never[]
  /** In the order in which they were sent. */
  headers: NameValue[]
  /** Parameters of the address, decoded. */
  queryString: NameValue[]
  /** The body. Absent when there was none. */
  postData?: HarBody
  /** Always -1, which means unknown. */
  headersSize: -1
  /** Bytes of the body. */
  bodySize: number
}

/** The response of an entry. */
export interface HarResponse {
  /** Status code. */
  status: number
  /** Reason phrase. */
  statusText: string
  /** Such as `HTTP/1.1`. */
  httpVersion: string
  /** Empty: cookies are among the headers. */
  cookies: never[]
  /** In the order in which they came. */
  headers: NameValue[]
  /** The body. Its text is absent if nothing was recorded. */
  content: Partial<HarBody> & {
    /** Value of the `content-type` header, or empty. */
    mimeType: string
    /** Bytes. */
    size: number
  }
  /** Value of the `location` header, or empty. */
  redirectURL: string
  /** Always -1, which means unknown. */
  headersSize: -1
  /** Bytes of the body; -1 when unknown. */
  bodySize: number
  /** What happened to the response, if it did not come whole. */
  comment?: string
}

/** One exchange of an HTTP Archive. */
export interface HarEntry {
  /** When the request began, in ISO 8601. */
  startedDateTime: string
  /** Milliseconds. */
  time: number
  /** What was sent. */
  request: HarRequest
  /** What came back. */
  response: HarResponse
  /** Empty: no cache was used. */
  cache: Record<string, never>
  /** Milliseconds of each phase. */
  timings: {
    /** Not measured. */
    send: 0
    /** From the request to the response. */
    wait: number
    /** Not measured. */
    receive: 0
  }
  /** What is particular about the exchange. */
  comment?: string
}

/** An HTTP Archive 1.2, without secrets. */
export interface HttpArchive {
  /** The only key of an archive. */
  log: {
    /** Version of the format. */
    version: '1.2'
    /** This package. */
    creator: {
      /** Name of the package. */
      name: string
      /** Version of the package. */
      version: string
    }
    /** Exchanges, oldest first. */
    entries: HarEntry[]
  }
}
