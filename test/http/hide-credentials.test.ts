import { describe, expect, test } from 'vitest'
import { hideInAddress, hideInHeader, hideInHeaders, toFetchReason } from '../../src/http/hide-credentials.ts'

describe('hideInHeaders', () => {
  test.each([
    ['authorization', 'Bearer key', 'Bearer (hidden)'],
    ['authorization', 'bearer\tkey', 'bearer (hidden)'],
    ['authorization', 'Basic dTpw', 'Basic (hidden)'],
    ['authorization', 'Digest a="b"', 'Digest (hidden)'],
    ['authorization', 'Basic a2V5, Bearer key', 'Basic (hidden)'],
    ['authorization', 'Bearer  ', 'Bearer'],
    ['authorization', 'Token x', 'Token (hidden)'],
    ['authorization', 'Bearer', 'Bearer'],
    ['authorization', ' Bearer ', '(hidden)'],
    ['authorization', 'my-key', '(hidden)'],
    ['authorization', 'Bearerkey', '(hidden)'],
    ['authorization', '', ''],
    ['proxy-authorization', 'Basic dTpw', 'Basic (hidden)'],
    ...toWords(`
      cookie set-cookie x-api-key x-auth-token x-key x-mock-control-token session x-otp dpop x-functions-key
      dd-application-key x-master-key sort-key-master-key x-user-pin x-psk x-github-otp x-mfa-code x-csrf x-app-session
    `).map((name) => [name, 'a=1', '(hidden)'] as [string, string, string]),
    ['host', 'user:pass@mock.example', '(hidden)@mock.example'],
    ['referer', 'https://u@a.example/?token=1&b=2', 'https://(hidden)@a.example/?token=(hidden)&b=2'],
  ])('%s: %s is shown as %j', (name, value, shown) => {
    expect(hideInHeaders([[name, value]])).toEqual({ [name]: shown })
  })

  test.each([
    ...toWords(`
      idempotency-key x-idempotency-key sec-websocket-key surrogate-key x-partition-key x-trace-id x-country-code
      x-status-code x-cache-bypass x-pet-id
    `).map((name) => [name, '1'] as [string, string]),
    ['access-control-allow-credentials', 'true'],
    ['host', 'mock.example:80'],
    ['content-type', 'application/json; charset=utf-8'],
    ['www-authenticate', 'Bearer realm="petstore", error="invalid_token"'],
    ['accept', 'text/html;q=0.9,*/*;q=0.8'],
    ['user-agent', 'curl/8 (+https://curl.example/?a=1)'],
    ['if-none-match', 'W/"a=b"'],
    ['prefer', 'code=404, delay=5'],
    ['preference-applied', 'code=404'],
  ])('%s: %s is shown as it is', (name, value) => {
    expect(hideInHeader(name, value)).toBe(value)
  })
})

describe('hideInAddress', () => {
  test.each([
    ['/v1/inventory', '/v1/inventory'],
    ['/v1/inventory?a=b&c=d', '/v1/inventory?a=b&c=d'],
    ['/v1/inventory?access_token=1', '/v1/inventory?access_token=(hidden)'],
    ['/v1?a=b&client_secret=1=2&c=d', '/v1?a=b&client_secret=(hidden)&c=d'],
    ['/v1?KEY=1', '/v1?KEY=(hidden)'],
    ['/v1?otp=1&pw=2&code=3&passcode=4', '/v1?otp=(hidden)&pw=(hidden)&code=(hidden)&passcode=(hidden)'],
    ['/v1?ticket=1&SAMLResponse=2&ticketId=3', '/v1?ticket=(hidden)&SAMLResponse=(hidden)&ticketId=3'],
    ['/v1?SAMLart=1&SAMLRequest=2&wresult=3', '/v1?SAMLart=(hidden)&SAMLRequest=(hidden)&wresult=(hidden)'],
    ['/v1?client_assertion=1&zip-code=2', '/v1?client_assertion=(hidden)&zip-code=2'],
    ['/v1?key=', '/v1?key='],
    ['/v1?%6bey=1', '/v1?(hidden)'],
    ['/v1?key%3D1', '/v1?key(hidden)'],
    ['/v1#pass=1', '/v1#pass=(hidden)'],
    ['/v1;jsessionid=1', '/v1;jsessionid=(hidden)'],
    ['/v1?x[password]=1', '/v1?x[password]=(hidden)'],
    ['https://user:pass@a.example/b', 'https://(hidden)@a.example/b'],
    ['https://a.example/b@c', 'https://a.example/b@c'],
    ['/v1?to=https%3A%2F%2Fu%3Ap%40a.example', '/v1?to=(hidden)'],
    ['/v1?to=%252F%253Ftoken%253D1&a=2', '/v1?to=(hidden)&a=2'],
    ['/v1?to=%25252F%25253F%252574oken%25253D1', '/v1?to=(hidden)'],
    ['/v1?to=https%253A%252F%252Fu%253Ap%2540a.example', '/v1?to=(hidden)'],
    ['/v1/http%3A%2F%2Fu%3Ap%40a.example/?b=1', '/v1/http(hidden)'],
    ['/v1%3Btoken%3D1?to=https%3A%2F%2Fu%3Ap%40a.example', '/v1(hidden)'],
    ['https://a.example/?to=https%3A%2F%2Fu%3Ap%40b.example', 'https://a.example/?to=(hidden)'],
    ['/v1?sale=100%25&a=%2520b', '/v1?sale=100%25&a=%2520b'],
    ['/v1?sort-key=1', '/v1?sort-key=1'],
    ['/v1?to=https://a.example?token=1', '/v1?to=(hidden)'],
    ['/v1?%=1&sig=2', '/v1?%=1&sig=(hidden)'],
    ['/v1?%ZZ=1&pass%77ord=a', '/v1?%ZZ=1&pass(hidden)'],
    ['/v1;key=a/7', '/v1;key=(hidden)'],
    ['/v1?to=https%3A%2F%2Fh%2F%3Ftoken%3Da%26b%3D1&c=2', '/v1?to=(hidden)&c=2'],
    ['/v1?token', '/v1?token'],
    ['/v1?keys=1&codec=2&q=a=b', '/v1?keys=1&codec=2&q=a=b'],
    ['https%3A%2F%2Fuser%40pets.example', 'https(hidden)'],
    ['%2F%2Fa=%40b', '(hidden)'],
  ])('%s is shown as %s', (address, shown) => {
    expect(hideInAddress(address)).toBe(shown)
  })

  test.each(
    toWords(`
      totp mfa_code verification_code device_code oauth_verifier csrf phpsessid app_key consumer_key license_key licenseKey
      APPKEY code_verifier xsrf connect.sid user_pass db-pwd card_pin user[session] common_key
      key-1 otp2 mfa x-2fa shopify_hmac
    `),
  )('?%s= is hidden', (name) => {
    expect(hideInAddress(`/v1?a=1&${name}=2&b=3`)).toBe(`/v1?a=1&${name}=(hidden)&b=3`)
  })

  test.each(
    toWords(`
      petId pet_id status_code statusCode error-code postcode postal_code zipcode country_code currencyCode barcode
      sort_key partitionKey cache_key keyword codes status_code2 bypass state status since
    `),
  )('?%s= is shown', (name) => {
    expect(hideInAddress(`/v1?${name}=2`)).toBe(`/v1?${name}=2`)
  })
})

test.each([
  [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED ::1') }), 'connect ECONNREFUSED ::1'],
  // After two addresses were tried, the cause has only a code.
  [new TypeError('fetch failed', { cause: new Error('') }), 'fetch failed'],
  [new TypeError('NetworkError when attempting to fetch resource.'), 'NetworkError when attempting to fetch resource'],
  [new TypeError('terminated'), 'terminated'],
  [new TypeError('Failed to parse http://a/?token=M', { cause: 'other' }), expect.not.stringContaining('=M')],
  [new TypeError('fetch failed', { cause: new Error('http://u:M@a.example/') }), expect.not.stringContaining('M')],
])('the reason of %s', (error, reason) => {
  expect(toFetchReason(error)).toEqual(reason)
})

function toWords(text: string): string[] {
  return text.trim().split(/\s+/)
}
