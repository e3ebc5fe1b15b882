/**
 * Settings of public providers that the living family knows by name: the authorization URL and its parameters.
 * Applications read them from auth-methods. To complete a sign-in, a provider still needs URLs in its definition.
 *
 * @module
 */

import type { OAuth2ProviderDefinition, TableDefinition } from '../../../spec/table-definition.ts'

interface KnownProvider {
  displayName: string
  authURL: string
  scopes: readonly string[]
  /** @default true */
  pkce?: boolean
  /** Further query parameters of the URL. */
  parameters?: Readonly<Record<string, string>>
}

const oidc: KnownProvider = { displayName: 'OIDC', authURL: '', scopes: ['openid', 'email', 'profile'] }

const google = 'https://www.googleapis.com/auth/userinfo'

const known = new Map<string, KnownProvider>(
  Object.entries({
    oidc,
    oidc2: oidc,
    oidc3: oidc,
    apple: {
      displayName: 'Apple',
      authURL: 'https://appleid.apple.com/auth/authorize',
      scopes: ['name', 'email'],
      parameters: { response_mode: 'form_post' },
    },
    bitbucket: {
      displayName: 'Bitbucket',
      authURL: 'https://bitbucket.org/site/oauth2/authorize',
      scopes: ['account'],
      pkce: false,
    },
    box: {
      displayName: 'Box',
      authURL: 'https://account.box.com/api/oauth2/authorize',
      scopes: ['root_readonly'],
    },
    discord: {
      displayName: 'Discord',
      authURL: 'https://discord.com/api/oauth2/authorize',
      scopes: ['identify', 'email'],
    },
    facebook: {
      displayName: 'Facebook',
      authURL: 'https://www.facebook.com/v3.2/dialog/oauth',
      scopes: ['email'],
    },
    gitea: {
      displayName: 'Gitea/Forgejo',
      authURL: 'https://gitea.com/login/oauth/authorize',
      scopes: ['read:user', 'user:email'],
    },
    gitee: {
      displayName: 'Gitee',
      authURL: 'https://gitee.com/oauth/authorize',
      scopes: ['user_info', 'emails'],
    },
    github: {
      displayName: 'GitHub',
      authURL: 'https://github.com/login/oauth/authorize',
      scopes: ['read:user', 'user:email'],
    },
    gitlab: {
      displayName: 'GitLab',
      authURL: 'https://gitlab.com/oauth/authorize',
      scopes: ['read_user'],
    },
    google: {
      displayName: 'Google',
      authURL: 'https://accounts.google.com/o/oauth2/v2/auth',
      scopes: [`${google}.profile`, `${google}.email`],
    },
    instagram2: {
      displayName: 'Instagram',
      authURL: 'https://www.instagram.com/oauth/authorize',
      scopes: ['instagram_business_basic'],
    },
    kakao: {
      displayName: 'Kakao',
      authURL: 'https://kauth.kakao.com/oauth/authorize',
      scopes: ['account_email', 'profile_nickname', 'profile_image'],
    },
    lark: {
      displayName: 'Lark',
      authURL: 'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
      scopes: [],
    },
    linear: {
      displayName: 'Linear',
      authURL: 'https://linear.app/oauth/authorize',
      scopes: ['read'],
      pkce: false,
    },
    livechat: { displayName: 'LiveChat', authURL: 'https://accounts.livechat.com/', scopes: [] },
    mailcow: { displayName: 'mailcow', authURL: '', scopes: ['profile'] },
    microsoft: {
      displayName: 'Microsoft',
      authURL: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      scopes: ['User.Read'],
    },
    monday: {
      displayName: 'monday.com',
      authURL: 'https://auth.monday.com/oauth2/authorize',
      scopes: ['me:read'],
    },
    notion: { displayName: 'Notion', authURL: 'https://api.notion.com/v1/oauth/authorize', scopes: [] },
    patreon: {
      displayName: 'Patreon',
      authURL: 'https://www.patreon.com/oauth2/authorize',
      scopes: ['identity', 'identity[email]'],
    },
    planningcenter: {
      displayName: 'Planning Center',
      authURL: 'https://api.planningcenteronline.com/oauth/authorize',
      scopes: ['people'],
    },
    spotify: {
      displayName: 'Spotify',
      authURL: 'https://accounts.spotify.com/authorize',
      scopes: ['user-read-private'],
    },
    strava: {
      displayName: 'Strava',
      authURL: 'https://www.strava.com/oauth/authorize',
      scopes: ['profile:read_all'],
    },
    trakt: { displayName: 'Trakt', authURL: 'https://trakt.tv/oauth/authorize', scopes: [] },
    twitch: {
      displayName: 'Twitch',
      authURL: 'https://id.twitch.tv/oauth2/authorize',
      scopes: ['user:read:email'],
    },
    twitter: {
      displayName: 'X/Twitter',
      authURL: 'https://x.com/i/oauth2/authorize',
      scopes: ['users.read', 'users.email', 'tweet.read'],
    },
    vk: {
      displayName: 'ВКонтакте',
      authURL: 'https://oauth.vk.com/authorize',
      scopes: ['email'],
      pkce: false,
    },
    wakatime: {
      displayName: 'WakaTime',
      authURL: 'https://wakatime.com/oauth/authorize',
      scopes: ['email'],
    },
    yandex: {
      displayName: 'Yandex',
      authURL: 'https://oauth.yandex.com/authorize',
      scopes: ['login:email', 'login:avatar', 'login:info'],
    },
  }),
)

/** The settings of a provider with a known name; for any other name, the settings of a generic OpenID Connect provider. */
export function knownProvider(name: string): KnownProvider {
  return known.get(name) ?? { ...oidc, displayName: name }
}

/** Whether sign-ins use PKCE: as configured, or else if the provider supports it. */
export function usesPkce({ name, pkce }: OAuth2ProviderDefinition): boolean {
  return pkce ?? knownProvider(name).pkce ?? true
}

/** A message for each provider that cannot complete a sign-in, because it has no URLs for the code and the user. */
export function unfinishedProviders(tables: readonly TableDefinition[]): string[] {
  return tables.flatMap(({ name: table, oauth2 }) => {
    const names = (oauth2?.enabled ? (oauth2.providers ?? []) : []).flatMap(
      ({ name, tokenURL, userInfoURL, extra }) =>
        tokenURL && (userInfoURL || extra?.jwksURL) ? [] : [`"${name}"`],
    )
    if (names.length === 0) return []
    return [
      `OAuth2 sign-in to "${table}" cannot be completed with ${names.join(', ')}: set tokenURL and userInfoURL for each provider, or simulate it with the option oauth2.pretend.`,
    ]
  })
}
