import { expect, test } from 'unplugin-mock-api/playwright'

test('shows the lines and the total', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText([/Sencha.*2 × € 8\.50/, /Oolong.*1 × € 12\.00/])
  await expect(page.getByText('Total: € 29.00')).toBeVisible()
})

test.describe('of a new customer', () => {
  test.use({ mockScenario: 'new-customer' })

  test('is empty, and there is nothing to pay', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByText('Your cart is empty.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Pay' })).toBeHidden()
  })
})
