document.title = 'The app runs'
