/** Answers a request, or leaves it to others. @param ip address of the client */
export type Answering = (request: Request, ip: string | undefined) => Promise<Response | undefined>
