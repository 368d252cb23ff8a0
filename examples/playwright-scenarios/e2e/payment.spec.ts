import { expect, test } from 'unplugin-mock-api/playwright'

test('waits until the payment is through', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()

  const payment = await mock.waitForRequest({ method: 'POST', path: '/payments' })
  expect(JSON.parse(payment.body?.text ?? '')).toEqual({ total: 29 })
  expect(await mock.requests({ path: '/payments/pay-1' })).toHaveLength(3) // pending, pending, paid
})

test('tells of a failure that comes once', async ({ page, mock }) => {
  await mock.override({ failNext: { count: 1, status: 500, endpoint: 'POST /payments' } })
  await page.goto('/')
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('The payment failed.')).toBeVisible()

  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
})

test.describe('while the payment provider is down', () => {
  test.use({ mockScenario: 'payment-down' })

  test('asks to try again later', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Pay' }).click()
    await expect(page.getByText('Try again later.')).toBeVisible()
  })
})
