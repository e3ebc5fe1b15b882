/** The page: Swagger UI with the description of this server. Users who sign in here stay signed in. */

const { SwaggerUIBundle } = window

const ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  responseInterceptor(response) {
    useToken(response)
    return response
  },
})

/** The token of a session is sent with the requests that follow, as an application does. */
function useToken({ ok, url, body }) {
  if (!ok || !/\/(?:auth-with-\w+|auth-refresh|impersonate\/[^/]+)(?:\?|$)/.test(url)) return
  const { token, record } = body ?? {}
  if (typeof token !== 'string' || token === '') return
  ui.preauthorizeApiKey(record?.collectionName === '_superusers' ? 'superuser' : 'userSession', token)
}
