# Runs at installation: what the program says about itself. `tacit` and `made` are set by install.cmake.
file(MAKE_DIRECTORY "${made}")
function(made_by_program file)
  execute_process(COMMAND "${tacit}" ${ARGN} OUTPUT_FILE "${made}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
made_by_program(tacit.1 man)
made_by_program(tacit completion bash)
made_by_program(_tacit completion zsh)
made_by_program(tacit.fish completion fish)
